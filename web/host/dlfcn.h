/* SPDX-License-Identifier: Apache-2.0 */
/* A host without shared objects: no plug-in can be opened, and no code has a file of its own. */
#ifndef WEB_DLFCN_H
#define WEB_DLFCN_H

#include <stddef.h>

typedef struct {
    const char *dli_fname;
} Dl_info;
enum { RTLD_NOW = 2, RTLD_LOCAL = 0 };

static inline int dladdr(const void *at, Dl_info *i) { return (void)at, (void)i, 0; }
static inline void *dlopen(const char *path, int how) { return (void)path, (void)how, NULL; }
static inline void *dlsym(void *of, const char *name) { return (void)of, (void)name, NULL; }
static inline int dlclose(void *of) { return (void)of, 0; }
static inline const char *dlerror(void) { return "there are no plug-ins in a browser"; }

#endif
