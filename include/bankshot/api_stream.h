// Streams, events, capture.
#ifndef BANKSHOT_API_STREAM_H
#define BANKSHOT_API_STREAM_H

#include "../builtin_types.h"

// The names that CUDA 12.8's headers map these to.
#define cudaEventElapsedTime cudaEventElapsedTime_v2
#define cudaStreamGetCaptureInfo cudaStreamGetCaptureInfo_v2

BANKSHOT_C_BEGIN

typedef void(CUDART_CB *cudaStreamCallback_t)(cudaStream_t stream, cudaError_t status, void *userData);

extern __host__ cudaError_t CUDARTAPI cudaStreamCreate(cudaStream_t *stream);
extern __host__ cudaError_t CUDARTAPI cudaStreamCreateWithFlags(cudaStream_t *stream, unsigned int flags);
extern __host__ cudaError_t CUDARTAPI cudaStreamCreateWithPriority(cudaStream_t *stream, unsigned int flags,
        int priority);
extern __host__ cudaError_t CUDARTAPI cudaStreamDestroy(cudaStream_t stream);
extern __host__ cudaError_t CUDARTAPI cudaStreamSynchronize(cudaStream_t stream);
extern __host__ cudaError_t CUDARTAPI cudaStreamQuery(cudaStream_t stream);
extern __host__ cudaError_t CUDARTAPI cudaStreamGetPriority(cudaStream_t stream, int *priority);
extern __host__ cudaError_t CUDARTAPI cudaStreamGetFlags(cudaStream_t stream, unsigned int *flags);
extern __host__ cudaError_t CUDARTAPI cudaStreamGetId(cudaStream_t stream, unsigned long long *id);
extern __host__ cudaError_t CUDARTAPI cudaStreamGetDevice(cudaStream_t stream, int *device);
extern __host__ cudaError_t CUDARTAPI cudaStreamCopyAttributes(cudaStream_t dst, cudaStream_t src);
extern __host__ cudaError_t CUDARTAPI cudaStreamGetAttribute(cudaStream_t stream, cudaStreamAttrID attr,
        cudaStreamAttrValue *value);
extern __host__ cudaError_t CUDARTAPI cudaStreamSetAttribute(cudaStream_t stream, cudaStreamAttrID attr,
        const cudaStreamAttrValue *value);
extern __host__ cudaError_t CUDARTAPI cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event,
        unsigned int flags CUDART_DEFAULT(0));
extern __host__ cudaError_t CUDARTAPI cudaStreamAddCallback(cudaStream_t stream,
        cudaStreamCallback_t callback, void *data, unsigned int flags);
extern __host__ cudaError_t CUDARTAPI cudaStreamAttachMemAsync(cudaStream_t stream, void *ptr,
        size_t size CUDART_DEFAULT(0), unsigned int flags CUDART_DEFAULT(cudaMemAttachSingle));
extern __host__ cudaError_t CUDARTAPI cudaLaunchHostFunc(cudaStream_t stream, cudaHostFn_t fn, void *data);

extern __host__ cudaError_t CUDARTAPI cudaStreamBeginCapture(cudaStream_t stream,
        enum cudaStreamCaptureMode mode);
extern __host__ cudaError_t CUDARTAPI cudaStreamBeginCaptureToGraph(cudaStream_t stream, cudaGraph_t graph,
        const cudaGraphNode_t *deps, const cudaGraphEdgeData *edges, size_t num_deps,
        enum cudaStreamCaptureMode mode);
extern __host__ cudaError_t CUDARTAPI cudaStreamEndCapture(cudaStream_t stream, cudaGraph_t *graph);
extern __host__ cudaError_t CUDARTAPI cudaStreamIsCapturing(cudaStream_t stream,
        enum cudaStreamCaptureStatus *status);
extern __host__ cudaError_t CUDARTAPI cudaThreadExchangeStreamCaptureMode(enum cudaStreamCaptureMode *mode);
extern __host__ cudaError_t CUDARTAPI cudaStreamGetCaptureInfo(cudaStream_t stream,
        enum cudaStreamCaptureStatus *status, unsigned long long *id CUDART_DEFAULT(NULL),
        cudaGraph_t *graph CUDART_DEFAULT(NULL), const cudaGraphNode_t **deps CUDART_DEFAULT(NULL),
        size_t *num_deps CUDART_DEFAULT(NULL));
extern __host__ cudaError_t CUDARTAPI cudaStreamGetCaptureInfo_v3(cudaStream_t stream,
        enum cudaStreamCaptureStatus *status, unsigned long long *id CUDART_DEFAULT(NULL),
        cudaGraph_t *graph CUDART_DEFAULT(NULL), const cudaGraphNode_t **deps CUDART_DEFAULT(NULL),
        const cudaGraphEdgeData **edges CUDART_DEFAULT(NULL), size_t *num_deps CUDART_DEFAULT(NULL));
extern __host__ cudaError_t CUDARTAPI cudaStreamUpdateCaptureDependencies(cudaStream_t stream,
        cudaGraphNode_t *deps, size_t num_deps, unsigned int flags CUDART_DEFAULT(0));
extern __host__ cudaError_t CUDARTAPI cudaStreamUpdateCaptureDependencies_v2(cudaStream_t stream,
        cudaGraphNode_t *deps, const cudaGraphEdgeData *edges, size_t num_deps,
        unsigned int flags CUDART_DEFAULT(0));

extern __host__ cudaError_t CUDARTAPI cudaEventCreate(cudaEvent_t *event);
extern __host__ cudaError_t CUDARTAPI cudaEventCreateWithFlags(cudaEvent_t *event, unsigned int flags);
extern __host__ cudaError_t CUDARTAPI cudaEventRecord(cudaEvent_t event,
        cudaStream_t stream CUDART_DEFAULT(NULL));
extern __host__ cudaError_t CUDARTAPI cudaEventRecordWithFlags(cudaEvent_t event,
        cudaStream_t stream CUDART_DEFAULT(NULL), unsigned int flags CUDART_DEFAULT(0));
extern __host__ cudaError_t CUDARTAPI cudaEventQuery(cudaEvent_t event);
extern __host__ cudaError_t CUDARTAPI cudaEventSynchronize(cudaEvent_t event);
extern __host__ cudaError_t CUDARTAPI cudaEventDestroy(cudaEvent_t event);
extern __host__ cudaError_t CUDARTAPI cudaEventElapsedTime(float *ms, cudaEvent_t start, cudaEvent_t end);

BANKSHOT_C_END

#endif
/* SPDX-License-Identifier: Apache-2.0 */
