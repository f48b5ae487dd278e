/* A Video4Linux device for tests, preloaded into a process: /dev/video7 sends 30 pictures per s (YUYV, 640 x 480 or
 * 320 x 240, a ramp that wanders) with times on CLOCK_MONOTONIC. What is wrong with it is read from the file that
 * VIDEO_DEVICE names: ok, missing, denied, busy, other (no pictures, other data), silent, unplugged, system (times on the
 * system's clock), timeless. A timer file descriptor stands for the device, so that select() works by itself. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/videodev2.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/timerfd.h>
#include <time.h>
#include <unistd.h>

#define DEVICE "/dev/video7"
#define BUFFERS 8
#define APART (4 << 20) /* bytes between the offsets of two buffers */

static int device = -1, width = 640, height = 480, waiting[BUFFERS];
static unsigned char *buffers[BUFFERS];
static unsigned pictures;
static int gain = 10, exposure_mode = 3, exposure = 100;

static int fail(int error) {
  errno = error;
  return -1;
}

static int is(const char *state) {
  char text[32] = "";
  int (*really)(const char *, int, ...) = dlsym(RTLD_NEXT, "open");
  int file = really(getenv("VIDEO_DEVICE"), O_RDONLY | O_CLOEXEC);
  if (file >= 0) {
    if (read(file, text, sizeof text - 1) < 0) text[0] = 0;
    close(file);
  }
  return !strcmp(text, state);
}

static int open_device(void) {
  if (is("missing") || is("unplugged")) return fail(ENOENT);
  if (is("denied")) return fail(EACCES);
  struct itimerspec beat = {{0, 33333333}, {0, 33333333}};
  device = timerfd_create(CLOCK_MONOTONIC, TFD_NONBLOCK | TFD_CLOEXEC);
  if (!is("silent")) timerfd_settime(device, 0, &beat, NULL);
  return device;
}

#define OPEN(name)                                                     \
  int name(const char *path, int flags, ...) {                         \
    va_list rest;                                                      \
    va_start(rest, flags);                                             \
    int mode = va_arg(rest, int);                                      \
    va_end(rest);                                                      \
    int (*really)(const char *, int, ...) = dlsym(RTLD_NEXT, #name);   \
    return strcmp(path, DEVICE) ? really(path, flags, mode) : open_device(); \
  }
OPEN(open)
OPEN(open64)

#define MAP(name)                                                                                     \
  void *name(void *at, size_t length, int access, int flags, int file, off_t offset) {                \
    void *(*really)(void *, size_t, int, int, int, off_t) = dlsym(RTLD_NEXT, #name);                  \
    if (file < 0 || file != device) return really(at, length, access, flags, file, offset);           \
    buffers[offset / APART] = really(NULL, length, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0); \
    return buffers[offset / APART];                                                                   \
  }
MAP(mmap)
MAP(mmap64)

static int control(struct v4l2_control *asked, int set) {
  int *value = asked->id == V4L2_CID_GAIN                ? &gain
               : asked->id == V4L2_CID_EXPOSURE_AUTO     ? &exposure_mode
               : asked->id == V4L2_CID_EXPOSURE_ABSOLUTE ? &exposure
                                                         : NULL;
  if (value == NULL) return fail(EINVAL);
  if (set) *value = asked->value;
  if (exposure > 300) exposure = 300;
  asked->value = *value;
  return 0;
}

static int take(struct v4l2_buffer *given) {
  uint64_t beats;
  struct timespec now;
  int i = 0;
  if (read(device, &beats, sizeof beats) != sizeof beats) return fail(EAGAIN);
  while (i < BUFFERS && !waiting[i]) i++;
  if (i == BUFFERS) return fail(EAGAIN);
  waiting[i] = 0;
  pictures += beats;
  memset(buffers[i], 128, 2 * width * height);
  for (int k = 0; k < width * height; k++) buffers[i][2 * k] = 16 + (3 * pictures + k % width) % 220;
  clock_gettime(is("system") ? CLOCK_REALTIME : CLOCK_MONOTONIC, &now);
  given->index = i;
  given->length = given->bytesused = 2 * width * height;
  given->timestamp.tv_sec = is("timeless") ? 0 : now.tv_sec;
  given->timestamp.tv_usec = is("timeless") ? 0 : now.tv_nsec / 1000;
  return 0;
}

static int answer(unsigned request, void *argument) {
  if (is("unplugged")) return fail(ENODEV);
  switch (request) {
    case VIDIOC_QUERYCAP: {
      struct v4l2_capability *it = argument;
      memset(it, 0, sizeof *it);
      it->capabilities = V4L2_CAP_VIDEO_CAPTURE | V4L2_CAP_STREAMING | V4L2_CAP_DEVICE_CAPS;
      it->device_caps = is("other") ? V4L2_CAP_META_CAPTURE : V4L2_CAP_VIDEO_CAPTURE | V4L2_CAP_STREAMING;
      return 0;
    }
    case VIDIOC_S_FMT:
      if (is("busy")) return fail(EBUSY);
      width = ((struct v4l2_format *)argument)->fmt.pix.width <= 320 ? 320 : 640;
      height = width * 3 / 4; /* fall through */
    case VIDIOC_G_FMT: {
      struct v4l2_pix_format *it = &((struct v4l2_format *)argument)->fmt.pix;
      it->pixelformat = V4L2_PIX_FMT_YUYV;
      it->width = width, it->height = height;
      it->bytesperline = 2 * width, it->sizeimage = 2 * width * height;
      return 0;
    }
    case VIDIOC_S_PARM:
    case VIDIOC_G_PARM:
      ((struct v4l2_streamparm *)argument)->parm.capture.timeperframe = (struct v4l2_fract){1, 30};
      return 0;
    case VIDIOC_REQBUFS:
      memset(waiting, 0, sizeof waiting);
      return 0;
    case VIDIOC_QUERYBUF: {
      struct v4l2_buffer *it = argument;
      it->length = 2 * width * height;
      it->m.offset = it->index * APART;
      return 0;
    }
    case VIDIOC_QBUF:
      waiting[((struct v4l2_buffer *)argument)->index] = 1;
      return 0;
    case VIDIOC_DQBUF:
      return take(argument);
    case VIDIOC_STREAMON:
    case VIDIOC_STREAMOFF:
      return 0;
    case VIDIOC_QUERYCTRL: {
      struct v4l2_queryctrl *it = argument;
      struct v4l2_control asked = {it->id, 0};
      it->minimum = 0, it->maximum = 500;
      return control(&asked, 0);
    }
    case VIDIOC_G_CTRL:
      return control(argument, 0);
    case VIDIOC_S_CTRL:
      return control(argument, 1);
  }
  return fail(EINVAL);
}

int ioctl(int file, unsigned long request, ...) {
  va_list rest;
  va_start(rest, request);
  void *argument = va_arg(rest, void *);
  va_end(rest);
  int (*really)(int, unsigned long, ...) = dlsym(RTLD_NEXT, "ioctl");
  return file < 0 || file != device ? really(file, request, argument) : answer((unsigned)request, argument);
}
