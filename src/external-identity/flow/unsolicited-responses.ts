import { Injectable } from '@nestjs/common';
import { newId } from '../../kernel/index.js';
import {
  type CallbackParameters,
  type Kind,
  SignInError,
  type SignInStrategy,
} from '../providers/provider.js';
import { FlowConnections } from './flow-connections.js';
import { FlowRepository } from './flow.repository.js';
import { ProviderFlows } from './provider-flows.js';
import { StartService } from './start.service.js';
import { UnusableState } from './state/state-store.js';

/** Answers responses that providers sent by themselves. */
@Injectable()
export class UnsolicitedResponses {
  constructor(
    private readonly connections: FlowConnections,
    private readonly flows: ProviderFlows,
    private readonly ended: FlowRepository,
    private readonly starts: StartService,
  ) {}

  /**
   * Starts a sign-in for a valid response that the provider sent by itself, if the connection
   * allows that. The response signs no person in: any page can post one, and would sign its
   * visitors in as its author (login CSRF). It is verified, so that no page can use this service as
   * a redirector, and used up.
   * @returns the page of the app that starts a flow of the connection
   * @throws {UnusableState}
   */
  async start(
    kind: Kind,
    strategy: SignInStrategy,
    parameters: CallbackParameters,
    connectionId: string | undefined,
  ): Promise<string> {
    if (connectionId === undefined || !strategy.checkUnsolicited) throw new UnusableState();
    const connection = await this.connections.findUnsolicited(connectionId);
    if (!connection) throw new UnusableState();
    try {
      const state = { kind, flowId: newId(), keyId: this.flows.keyId };
      const flow = this.flows.of(state, '', connection);
      const profile = await strategy.checkUnsolicited(flow, parameters);
      if (!(await this.ended.consumeOnce(kind, profile))) throw new UnusableState();
    } catch (error) {
      if (error instanceof SignInError) throw new UnusableState();
      throw error;
    }
    return this.starts.pageFor(kind, connectionId);
  }
}
