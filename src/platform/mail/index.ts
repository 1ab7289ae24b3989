export { MailFolder } from './mail-folder.js';
export { MailJobs } from './mail-jobs.js';
export { MailModule } from './mail.module.js';
export { Outbox } from './outbox.js';
