# For the tests of ./run: a copy of it in a directory of its own, where tools are scripts that only pretend.
# Sets `dir`, and `tools`, which is all of PATH. To be read by a test.

dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
tools=$dir/tools
status=0

complain() {
    echo "$*"
    [ ! -e "$dir/output" ] || sed 's/^/    /' "$dir/output"
    status=1
}

# fake NAME: a tool that does what standard input says, in sh.
fake() {
    { echo "#!$(command -v sh)" && cat; } > "$tools/$1"
    chmod +x "$tools/$1"
}

# Fakes for `cmake`, in the directory that is $1: configuring makes a cache, building a program, after what the
# script "meanwhile" does.
fake_cmake() {
    cat > "$1/cmake" <<'END'
#!/bin/sh
case $1 in
--preset)
    mkdir -p "build/$2/examples"
    echo "CMAKE_HOME_DIRECTORY:INTERNAL=$PWD" > "build/$2/CMakeCache.txt"
    ;;
--build)
    echo "[1/2] compiling"
    [ ! -e "$2/../../meanwhile" ] || . "$2/../../meanwhile"
    echo "[2/2] linking"
    cp "$2/../../game" "$2/examples/arena"
    ;;
esac
END
    chmod +x "$1/cmake"
}

mkdir -p "$tools" "$dir/examples/arena"
touch "$dir/examples/arena/arena.c"
cp "$KITH_SOURCE/run" "$dir"
for tool in awk basename bash cat chmod cp cut date dirname env grep mkdir mktemp mv nproc rm script sed sh \
    sleep sort tee touch tr uname wc; do
    ln -s "$(command -v $tool)" "$tools/$tool"
done
for tool in ar check clang clang++ g++ gcc gdb make ninja pkg-config; do
    echo 'cat > /dev/null' | fake $tool    # who asks for it writes a program to it
done
fake_cmake "$tools"
printf '#!/bin/sh\necho played\n' > "$dir/game"
chmod +x "$dir/game"
cd "$dir" || exit 1
