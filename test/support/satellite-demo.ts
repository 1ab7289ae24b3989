import { Demo } from './demo.js';

/** Starts `npm run demo:satellite`, with the portal's authorization page or that of an app. */
export class SatelliteDemo {
  private constructor(private readonly demo: Demo) {}

  static async start(...options: '--app'[]): Promise<SatelliteDemo> {
    return new SatelliteDemo(await Demo.start('scripts/demo-satellite-steps.mjs', options));
  }

  /** The app, of a demo with one. */
  get shop(): string {
    return this.demo.told('The shop');
  }

  get helpCentre(): string {
    return this.demo.told('The help centre');
  }

  get portal(): string {
    return this.demo.told('The portal');
  }

  get person(): { readonly email: string; readonly password: string } {
    return { email: this.demo.told('Sign in as'), password: this.demo.told('with password') };
  }

  /** Ends it as Ctrl-C does. @returns the exit code */
  interrupt(): Promise<number | null> {
    return this.demo.interrupt();
  }
}
