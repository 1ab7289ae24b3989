export { Lifecycle, OnLifecycle } from './lifecycle.js';
export { LifecycleModule } from './lifecycle.module.js';
