export { Lifecycle, OnLifecycle, LifecycleModule } from './lifecycle.js';
