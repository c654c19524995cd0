// A program that loads client.c as a plugin, which sees what others don't: the driver.
//
//   host PLUGIN WAY FUNCTION FILE
#include <dlfcn.h>

int main(int argc, char **argv) {
  void *plugin = dlopen(argv[1], RTLD_NOW | RTLD_LOCAL);
  int (*enter)(int, char **) = plugin == 0 ? 0 : (int (*)(int, char **))dlsym(plugin, "plugin");
  return enter == 0 ? 1 : enter(argc - 1, argv + 1);
}
