/* cuda::pipeline: copies in stages. Of a thread it is cp.async and its groups; of a CTA, a ring of two barriers for each stage. */
#ifndef BANKSHOT_CUDA_PIPELINE_H_
#define BANKSHOT_CUDA_PIPELINE_H_

#include <host_defines.h>
__BANKSHOT_LINES_OFF

#include <cuda/detail/barrier.h>
#include <cuda_pipeline_primitives.h>

namespace cuda
{

enum class pipeline_role { producer, consumer };

namespace __detail
{
template <thread_scope S> struct stage {
    barrier<S> full, empty;
};

/* Before compute capability 8.0 copies are done when they are made. */
__BANKSHOT_DEV void commit()
{
#if __BANKSHOT_OBJECTS
    __pipeline_commit();
#endif
}
__BANKSHOT_DEV void wait_prior(unsigned groups)
{
#if __BANKSHOT_OBJECTS
    __pipeline_wait_prior(groups);
#endif
    (void)groups;
}
} // namespace __detail

template <thread_scope S, unsigned char Stages> struct pipeline_shared_state {
    pipeline_shared_state() = default;
    pipeline_shared_state(const pipeline_shared_state &) = delete;
    __detail::stage<S> stages[Stages];
};

/* The ring of a CTA's pipeline. Every thread keeps where it is. */
template <thread_scope S> class pipeline
{
  public:
    pipeline(const pipeline &) = delete;
    pipeline(pipeline &&) = default;

    __BANKSHOT_DEV void producer_acquire()
    {
        if (round > 0)
            at[head].empty.wait_parity(!(round % 2));
    }
    __BANKSHOT_DEV void producer_commit()
    {
        __detail::arrive_after_copies(at[head].full);
        (void)at[head].full.arrive();
        if (++head == n) {
            head = 0;
            round++;
        }
    }
    __BANKSHOT_DEV void consumer_wait() { at[tail].full.wait_parity(tail_round % 2); }
    __BANKSHOT_DEV void consumer_release()
    {
        (void)at[tail].empty.arrive();
        if (++tail == n) {
            tail = 0;
            tail_round++;
        }
    }
    __BANKSHOT_DEV bool quit() { return true; }

    __BANKSHOT_DEV pipeline(__detail::stage<S> *stages, unsigned count)
        : at(stages), n(count), head(0), tail(0), round(0), tail_round(0)
    {
    }

  private:
    __detail::stage<S> *at;
    unsigned n, head, tail, round, tail_round;
};

template <> class pipeline<thread_scope_thread>
{
  public:
    pipeline() = default;
    pipeline(const pipeline &) = delete;
    pipeline(pipeline &&) = default;
    __BANKSHOT_DEV void producer_acquire() {}
    __BANKSHOT_DEV void producer_commit()
    {
        __detail::commit();
        head++;
    }
    __BANKSHOT_DEV void consumer_wait() { __detail::wait_prior(head - ++tail); }
    __BANKSHOT_DEV void consumer_release() {}
    __BANKSHOT_DEV bool quit() { return true; }

  private:
    unsigned head = 0, tail = 0;
};

__BANKSHOT_DEV pipeline<thread_scope_thread> make_pipeline() { return pipeline<thread_scope_thread>(); }

namespace __detail
{
template <class Group, thread_scope S, unsigned char Stages>
__BANKSHOT_DEV pipeline<S> start(const Group &g, pipeline_shared_state<S, Stages> *state, ::std::size_t producers,
                                 ::std::size_t consumers)
{
    for (unsigned i = (unsigned)g.thread_rank(); i < Stages; i += (unsigned)g.size()) {
        init(&state->stages[i].full, (::std::ptrdiff_t)producers);
        init(&state->stages[i].empty, (::std::ptrdiff_t)consumers);
    }
    g.sync();
    return pipeline<S>(state->stages, Stages);
}
} // namespace __detail

/* All threads of the group produce and consume. */
template <class Group, thread_scope S, unsigned char Stages>
__BANKSHOT_DEV pipeline<S> make_pipeline(const Group &g, pipeline_shared_state<S, Stages> *state)
{
    return __detail::start(g, state, g.size(), g.size());
}
template <class Group, thread_scope S, unsigned char Stages>
__BANKSHOT_DEV pipeline<S> make_pipeline(const Group &g, pipeline_shared_state<S, Stages> *state, ::std::size_t producers)
{
    return __detail::start(g, state, producers, g.size() - producers);
}
/* Each thread says what it does. */
template <class Group, thread_scope S, unsigned char Stages>
__BANKSHOT_DEV pipeline<S> make_pipeline(const Group &g, pipeline_shared_state<S, Stages> *state, pipeline_role role)
{
    __shared__ unsigned producers;
    if (g.thread_rank() == 0)
        producers = 0;
    g.sync();
    if (role == pipeline_role::producer)
        atomicAdd(&producers, 1u);
    g.sync();
    unsigned n = producers;
    g.sync();
    return __detail::start(g, state, n, g.size() - n);
}

/* Until all but the last N stages that were committed are there. */
template <unsigned char N> __BANKSHOT_DEV void pipeline_consumer_wait_prior(pipeline<thread_scope_thread> &)
{
    __detail::wait_prior(N);
}

template <class T, thread_scope S>
__BANKSHOT_DEV void memcpy_async(T *to, const T *from, ::std::size_t bytes, pipeline<S> &)
{
    __detail::copy_async(__detail::alone(), to, from, bytes, 1);
}
template <class T, ::std::size_t A, thread_scope S>
__BANKSHOT_DEV void memcpy_async(T *to, const T *from, aligned_size_t<A> bytes, pipeline<S> &)
{
    __detail::copy_async(__detail::alone(), to, from, bytes.value, A);
}
template <class Group, class T, thread_scope S>
__BANKSHOT_DEV void memcpy_async(const Group &g, T *to, const T *from, ::std::size_t bytes, pipeline<S> &)
{
    __detail::copy_async(g, to, from, bytes, 1);
}
template <class Group, class T, ::std::size_t A, thread_scope S>
__BANKSHOT_DEV void memcpy_async(const Group &g, T *to, const T *from, aligned_size_t<A> bytes, pipeline<S> &)
{
    __detail::copy_async(g, to, from, bytes.value, A);
}

} // namespace cuda

__BANKSHOT_LINES_ON
#endif
/* SPDX-License-Identifier: Apache-2.0 */
