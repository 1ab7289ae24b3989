import { Logger } from '@nestjs/common';

// One logger per worker: without this, a spec file would begin with that of the file before.
Logger.overrideLogger(false);
