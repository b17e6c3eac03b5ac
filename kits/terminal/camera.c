#include <kith/floats.h>

#include <kith/terminal.h>
#include <math.h>

/* Beyond this, cells are not counted: there, and not earlier, numbers would not fit. */
#define FARTHEST 1e9

static double cell_size(float size)
{
    return size > 0 ? (double)size : 1;
}

/* A number from -1 to 1 for a tick of the shaking: the finalizer of MurmurHash3. */
static double shake_noise(uint32_t seed, uint32_t tick, uint32_t axis)
{
    uint32_t h = seed * 0x9E3779B9u + tick * 2u + axis;
    h = (h ^ h >> 16) * 0x85EBCA6Bu;
    h = (h ^ h >> 13) * 0xC2B2AE35u;
    h ^= h >> 16;
    return (double)h / 2147483647.5 - 1;
}

static double shake_strength(const kith_camera *camera)
{
    return camera->shake_left > 0 && camera->shake_time > 0
               ? (double)camera->shake * (double)(camera->shake_left / camera->shake_time)
               : 0;
}

/* How many cells the view is off. */
static double shake_cells(const kith_camera *camera, uint32_t axis)
{
    double strength = shake_strength(camera);
    return strength > 0 ? round(shake_noise(camera->seed, camera->shake_tick, axis) * strength) : 0;
}

/* `base`, which is between 0 and 1, to the power of `exponent`, which is not negative. The last
 * bits of the C library's powf differ between systems; each step here rounds as IEEE 754 says. */
static double power(double base, double exponent)
{
    static const double log_of_2 = 0x1.62e42fefa39efp-1;
    int twos;
    double part = frexp(base, &twos); /* from 0.5 to 1 */
    double s = (part - 1) / (part + 1);
    double square = kith_mul_f64(s, s);
    double sum = 0;
    for (int i = 41; i > 0; i -= 2) { /* log(part) is 2 (s + s^3 / 3 + s^5 / 5 ...) */
        sum = kith_mul_f64(sum, square) + 1.0 / i;
    }
    double natural = kith_mul_f64(kith_mul_f64(2, s), sum) + kith_mul_f64(twos, log_of_2);
    double x = kith_mul_f64(natural, exponent);
    if (!(x > -700)) {
        return 0; /* less than any float */
    }
    double whole = floor(x / log_of_2);
    double rest = x - kith_mul_f64(whole, log_of_2);
    sum = 1;
    for (int i = 20; i > 0; i--) { /* exp(rest) is 1 + rest (1 + rest / 2 (1 + rest / 3 ...)) */
        sum = 1 + kith_mul_f64(sum, rest / i);
    }
    return ldexp(sum, (int)whole);
}

/* Where to go so that `target` is in the dead zone. */
static float follow_axis(float at, float target, float zone)
{
    float reach = zone > 0 ? zone / 2 : 0;
    return target > at + reach ? target - reach : target < at - reach ? target + reach : at;
}

static float keep_inside(float at, float least, float most, double view)
{
    if (!(most > least)) {
        return at;
    }
    if ((double)most - (double)least <= view) {
        return (least + most) / 2;
    }
    float first = least + (float)(view / 2);
    float last = most - (float)(view / 2);
    return at < first ? first : at > last ? last : at;
}

void kith_camera_follow(kith_camera *camera, float target_x, float target_y, float dt)
{
    if (camera == NULL || !isfinite(target_x) || !isfinite(target_y) || !(dt >= 0)) {
        return;
    }
    bool glides = camera->speed > 0 && camera->speed < 1;
    float part = glides ? (float)(1 - power(1 - (double)camera->speed, (double)dt)) : 1;
    camera->x +=
        kith_mul_f32(follow_axis(camera->x, target_x, camera->dead_width) - camera->x, part);
    camera->y +=
        kith_mul_f32(follow_axis(camera->y, target_y, camera->dead_height) - camera->y, part);
    camera->x = keep_inside(camera->x, camera->min_x, camera->max_x,
                            camera->view.width * cell_size(camera->cell_width));
    camera->y = keep_inside(camera->y, camera->min_y, camera->max_y,
                            camera->view.height * cell_size(camera->cell_height));
    camera->shake_left = camera->shake_left > dt ? camera->shake_left - dt : 0;
    camera->shake_tick++;
}

void kith_camera_shake(kith_camera *camera, float cells, float seconds)
{
    if (camera == NULL || !(cells > 0) || !(seconds > 0) || !isfinite(cells) ||
        !isfinite(seconds) || (double)cells < shake_strength(camera)) {
        return;
    }
    camera->shake = cells;
    camera->shake_left = camera->shake_time = seconds;
}

static int cell_of(double world, float at, float size, int start, int length, double shake)
{
    double cell =
        floor((world - (double)at) / cell_size(size) + kith_mul_f64(length, 0.5)) + start + shake;
    return cell > -FARTHEST ? (int)(cell < FARTHEST ? cell : FARTHEST) : (int)-FARTHEST;
}

bool kith_camera_to_screen(const kith_camera *camera, float world_x, float world_y, int *x, int *y)
{
    if (camera == NULL) {
        return false;
    }
    const kith_screen_rect *view = &camera->view;
    int column = cell_of((double)world_x, camera->x, camera->cell_width, view->x, view->width,
                         shake_cells(camera, 0));
    int row = cell_of((double)world_y, camera->y, camera->cell_height, view->y, view->height,
                      shake_cells(camera, 1));
    if (x != NULL) {
        *x = column;
    }
    if (y != NULL) {
        *y = row;
    }
    return column >= view->x && (int64_t)column < (int64_t)view->x + view->width &&
           row >= view->y && (int64_t)row < (int64_t)view->y + view->height;
}

static float world_of(int cell, float at, float size, int start, int length, double shake)
{
    double middle = (double)cell + 0.5 - start - shake - kith_mul_f64(length, 0.5);
    return (float)(kith_mul_f64(middle, cell_size(size)) + (double)at);
}

void kith_camera_to_world(const kith_camera *camera, int x, int y, float *world_x, float *world_y)
{
    if (camera == NULL) {
        return;
    }
    const kith_screen_rect *view = &camera->view;
    if (world_x != NULL) {
        *world_x = world_of(x, camera->x, camera->cell_width, view->x, view->width,
                            shake_cells(camera, 0));
    }
    if (world_y != NULL) {
        *world_y = world_of(y, camera->y, camera->cell_height, view->y, view->height,
                            shake_cells(camera, 1));
    }
}
