import type { ConnectionTest } from '../../connection/index.js';
import { objectListField, Output, PickType } from '../../platform/api/index.js';
import { formatMessage, type Locale } from '../../platform/messages/index.js';

export class StartedTestResponse {
  @Output.ulid({ example: '01K3V9D7Q8Z4X5N6M7P8R9S0T3' })
  testId: string;
  @Output.text({
    max: 8_192,
    format: 'uri',
    description: 'Address to redirect the browser to.',
    example: 'https://idp.example.com/authorize?client_id=gatehouse',
  })
  authorizationUrl: string;
}

class TestStepResponse {
  @Output.text({ max: 30, pattern: '^[a-z-]+$', example: 'signature', description: 'What was checked.' })
  name: string;
  @Output.word(['passed', 'failed', 'skipped'] as const)
  verdict: string;
  @Output.text({
    max: 1_000,
    example: 'Correct.',
    description: "What is wrong and what to do, in the caller's language.",
  })
  detail: string;
}

class ReceivedAttributeResponse {
  @Output.text({ max: 500, example: 'groups' })
  name: string;
  @Output.list({ max: 2_000, itemMax: 500, pattern: /^[\s\S]*$/, example: ['Engineering'] })
  values: readonly string[];
}

export class TestResponse {
  @Output.word(['waiting', 'passed', 'failed'] as const)
  status: string;
  @Output(objectListField(() => TestStepResponse, 20))
  steps: TestStepResponse[];
  @Output(objectListField(() => ReceivedAttributeResponse, 101))
  attributes: ReceivedAttributeResponse[];
  @Output.list({
    max: 200,
    itemMax: 100,
    pattern: /^[a-z0-9_-]+$/,
    example: ['member'],
    description: 'Keys of the roles that the sign-in would give.',
  })
  roles: readonly string[];

  static from({ status, result }: ConnectionTest, locale: Locale): TestResponse {
    const { steps = [], attributes = {}, roles = [] } = result ?? {};
    return {
      status,
      steps: steps.map((step) => ({ ...step, detail: formatMessage(step.detail, locale) })),
      attributes: Object.entries(attributes).map(([name, values]) => ({ name, values })),
      roles,
    };
  }
}

/** What the holder of a set-up link sees of a test: nothing of roles. */
export class SetupTestResponse extends PickType(TestResponse, ['status', 'steps', 'attributes'] as const) {
  static of(test: ConnectionTest, locale: Locale): SetupTestResponse {
    const { status, steps, attributes } = TestResponse.from(test, locale);
    return { status, steps: steps.filter(({ name }) => name !== 'roles'), attributes };
  }
}
