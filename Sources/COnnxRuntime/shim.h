#pragma once
// ONNX Runtime's C API, as far as the constrained recogniser uses it. Debian 12 has no header for the library, which is looked for
// when the program runs. The API is a table of functions whose order never changes and that only ever grows
// (onnxruntime_c_api.h of version 1.23, “struct OrtApi”): each function is declared here at its position in the table.
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct OrtStatus OrtStatus;
typedef struct OrtEnv OrtEnv;
typedef struct OrtSession OrtSession;
typedef struct OrtSessionOptions OrtSessionOptions;
typedef struct OrtRunOptions OrtRunOptions;
typedef struct OrtMemoryInfo OrtMemoryInfo;
typedef struct OrtValue OrtValue;
typedef struct OrtShape OrtShape;

// Kinds of elements (ONNXTensorElementDataType), and other choices of the API.
enum { vanorb_ort_float = 1, vanorb_ort_int64 = 7, vanorb_ort_bool = 9 };
enum { vanorb_ort_fatal = 4 };
enum { vanorb_ort_device_allocator = 0, vanorb_ort_default_memory = 0 };
enum { vanorb_ort_all_optimisations = 99 };

typedef struct OrtApi {
    void *slots_0[2];
    const char *(*GetErrorMessage)(const OrtStatus *);                                                       // 2
    OrtStatus *(*CreateEnv)(int level, const char *name, OrtEnv **made);                                     // 3
    void *slots_4[3];
    OrtStatus *(*CreateSession)(const OrtEnv *, const char *path, const OrtSessionOptions *, OrtSession **); // 7
    OrtStatus *(*CreateSessionFromArray)(
        const OrtEnv *, const void *data, size_t length, const OrtSessionOptions *, OrtSession **);          // 8
    OrtStatus *(*Run)(
        OrtSession *, const OrtRunOptions *, const char *const *input_names, const OrtValue *const *inputs,
        size_t input_count, const char *const *output_names, size_t output_count, OrtValue **outputs);       // 9
    OrtStatus *(*CreateSessionOptions)(OrtSessionOptions **);                                                // 10
    void *slots_11[6];
    OrtStatus *(*DisableMemPattern)(OrtSessionOptions *);                                                    // 17
    void *slots_18[1];
    OrtStatus *(*DisableCpuMemArena)(OrtSessionOptions *);                                                   // 19
    void *slots_20[4];
    OrtStatus *(*SetIntraOpNumThreads)(OrtSessionOptions *, int count);                                      // 24
    OrtStatus *(*SetInterOpNumThreads)(OrtSessionOptions *, int count);                                      // 25
    void *slots_26[13];
    OrtStatus *(*CreateRunOptions)(OrtRunOptions **);                                                        // 39
    void *slots_40[6];
    OrtStatus *(*RunOptionsSetTerminate)(OrtRunOptions *);                                                   // 46
    OrtStatus *(*RunOptionsUnsetTerminate)(OrtRunOptions *);                                                 // 47
    void *slots_48[1];
    OrtStatus *(*CreateTensorWithDataAsOrtValue)(
        const OrtMemoryInfo *, void *data, size_t bytes, const int64_t *shape, size_t rank, int element,
        OrtValue **);                                                                                        // 49
    void *slots_50[1];
    OrtStatus *(*GetTensorMutableData)(OrtValue *, void **);                                                 // 51
    void *slots_52[9];
    OrtStatus *(*GetDimensionsCount)(const OrtShape *, size_t *);                                            // 61
    OrtStatus *(*GetDimensions)(const OrtShape *, int64_t *, size_t count);                                  // 62
    void *slots_63[2];
    OrtStatus *(*GetTensorTypeAndShape)(const OrtValue *, OrtShape **);                                      // 65
    void *slots_66[3];
    OrtStatus *(*CreateCpuMemoryInfo)(int allocator, int memory, OrtMemoryInfo **);                          // 69
    void *slots_70[22];
    void (*ReleaseEnv)(OrtEnv *);                                                                            // 92
    void (*ReleaseStatus)(OrtStatus *);                                                                      // 93
    void (*ReleaseMemoryInfo)(OrtMemoryInfo *);                                                              // 94
    void (*ReleaseSession)(OrtSession *);                                                                    // 95
    void (*ReleaseValue)(OrtValue *);                                                                        // 96
    void (*ReleaseRunOptions)(OrtRunOptions *);                                                              // 97
    void *slots_98[1];
    void (*ReleaseTensorTypeAndShapeInfo)(OrtShape *);                                                       // 99
    void (*ReleaseSessionOptions)(OrtSessionOptions *);                                                      // 100
    void *slots_101[29];
    OrtStatus *(*AddSessionConfigEntry)(OrtSessionOptions *, const char *key, const char *value);            // 130
} OrtApi;

#define VANORB_AT(name, position) \
    _Static_assert(offsetof(OrtApi, name) == (position) * sizeof(void *), #name " is not at its position")
VANORB_AT(GetErrorMessage, 2);
VANORB_AT(Run, 9);
VANORB_AT(DisableMemPattern, 17);
VANORB_AT(SetInterOpNumThreads, 25);
VANORB_AT(CreateRunOptions, 39);
VANORB_AT(RunOptionsUnsetTerminate, 47);
VANORB_AT(GetTensorMutableData, 51);
VANORB_AT(GetTensorTypeAndShape, 65);
VANORB_AT(CreateCpuMemoryInfo, 69);
VANORB_AT(ReleaseEnv, 92);
VANORB_AT(ReleaseSessionOptions, 100);
VANORB_AT(AddSessionConfigEntry, 130);
#undef VANORB_AT

typedef struct OrtApiBase {
    // The table of a version; null where the library is older.
    const OrtApi *(*GetApi)(uint32_t version);
    const char *(*GetVersionString)(void);
} OrtApiBase;

// The type of the one function that the library exports, OrtGetApiBase.
typedef const OrtApiBase *(*vanorb_ort_api_base)(void);
