# The machine code that source 002 shows for its setter, its getter and its loop: what that of
# listings.c is measured against.
setTest:
        mov     rax, qword ptr [rdi + 72]
        mov     rcx, rsi
        shr     rcx, 6
        mov     edx, 1
        shlx    rdx, rdx, rsi
        or      qword ptr [rax + 8*rcx], rdx
        mov     rax, qword ptr [rdi + 80]
        or      dword ptr [rax + 4*rsi], 2
        mov     rax, qword ptr [rdi + 40]
        vmovlps qword ptr [rax + 8*rsi], xmm0
        mov     rax, qword ptr [rdi + 72]
        or      qword ptr [rax + 8*rcx], rdx
        mov     rax, qword ptr [rdi + 80]
        or      dword ptr [rax + 4*rsi], 1
        mov     rax, qword ptr [rdi + 32]
        mov     word ptr [rax + 2*rsi], 15
        ret

getTest:
        mov     rcx, qword ptr [rdi + 72]
        mov     rdx, rsi
        shr     rdx, 6
        mov     rcx, qword ptr [rcx + 8*rdx]
        bt      rcx, rsi
        jae     .LBB1_3
        mov     rax, rsi
        mov     rcx, qword ptr [rdi + 80]
        test    byte ptr [rcx + 4*rsi], 1
        jne     .LBB1_4
.LBB1_3:
        xor     eax, eax
        ret
.LBB1_4:
        add     rax, rax
        add     rax, qword ptr [rdi + 32]
        ret

iterateEntities:
        mov     rax, qword ptr [rdi + 64]
        test    rax, rax
        je      .LBB2_1
        mov     rcx, qword ptr [rdi + 72]
        add     rax, 63
        shr     rax, 6
        mov     rdx, qword ptr [rcx]
        add     rcx, 8
        dec     rax
        jmp     .LBB2_3
.LBB2_1:
        movabs  rcx, -6148914691236517206
        xor     eax, eax
        xor     edx, edx
.LBB2_3:
        mov     r8, qword ptr [rdi + 80]
        xor     edi, edi
.LBB2_4:
        test    rdx, rdx
        jne     .LBB2_7
        sub     rax, 1
        jb      .LBB2_9
        mov     rdx, qword ptr [rcx]
        add     rcx, 8
        add     rdi, 64
        jmp     .LBB2_4
.LBB2_7:
        tzcnt   r9, rdx
        add     r9, rdi
        blsr    rdx, rdx
        test    byte ptr [r8 + 4*r9], 2
        je      .LBB2_4
        mov     dword ptr [rsi], r9d
        jmp     .LBB2_4
.LBB2_9:
        ret
