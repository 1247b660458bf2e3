#include "compile/passes.h"
void pass_opt(struct ir_fn *fn) { (void)fn; }
