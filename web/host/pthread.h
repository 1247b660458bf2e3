/* SPDX-License-Identifier: Apache-2.0 */
/* Threads on a host that has none: locks are free, and no thread can be started, which callers take for "do it yourself". */
#ifndef WEB_PTHREAD_H
#define WEB_PTHREAD_H

#include <errno.h>

typedef int pthread_t, pthread_mutex_t, pthread_cond_t, pthread_attr_t, pthread_mutexattr_t,
    pthread_condattr_t;
#define PTHREAD_MUTEX_INITIALIZER 0

static inline int pthread_mutex_init(pthread_mutex_t *m, const pthread_mutexattr_t *a)
{
    return (void)a, *m = 0;
}
static inline int pthread_mutex_destroy(pthread_mutex_t *m) { return (void)m, 0; }
static inline int pthread_mutex_lock(pthread_mutex_t *m) { return (void)m, 0; }
static inline int pthread_mutex_unlock(pthread_mutex_t *m) { return (void)m, 0; }
static inline int pthread_cond_init(pthread_cond_t *c, const pthread_condattr_t *a)
{
    return (void)a, *c = 0;
}
static inline int pthread_cond_destroy(pthread_cond_t *c) { return (void)c, 0; }
static inline int pthread_cond_signal(pthread_cond_t *c) { return (void)c, 0; }
static inline int pthread_cond_broadcast(pthread_cond_t *c) { return (void)c, 0; }
/* Nobody else could change what is waited for. */
static inline int pthread_cond_wait(pthread_cond_t *c, pthread_mutex_t *m)
{
    (void)c, (void)m, __builtin_trap();
}
static inline int pthread_create(pthread_t *t, const pthread_attr_t *a, void *(*f)(void *), void *ctx)
{
    return (void)t, (void)a, (void)f, (void)ctx, EAGAIN;
}
static inline int pthread_join(pthread_t t, void **r) { return (void)t, (void)r, EINVAL; }

#endif
