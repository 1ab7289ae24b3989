import { textField } from '../platform/api/index.js';

export const REFRESH_TOKEN = textField({
  max: 512,
  example: 'ghr_01K3V9D7Q8Z4X5N6M7P8R9S0T1.1.mWq3hXo0b0y3f2mY7yq1b4Jx2Zk5cT9pVd8sLr6NaEo',
});
