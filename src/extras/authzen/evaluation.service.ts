import { Injectable } from '@nestjs/common';
import type { Principal } from '../../kernel/index.js';
import { AppError, type Violation } from '../../platform/errors/index.js';
import { formatMessage, type Locale } from '../../platform/messages/index.js';
import {
  type AbilityCheck,
  AbilityRegistry,
  AbilityService,
  type Decision,
  deny,
  parseSubject,
  thingOf,
} from '../../ability/index.js';
import { AskedSubjects } from './asked-subjects.js';
import type { EvaluationDto, EvaluationResponse, EvaluationsDto, Semantic } from './evaluation.dto.js';

/** A question with all its parts. */
type Question = Required<Omit<EvaluationDto, 'context'>> & Pick<EvaluationDto, 'context'>;

/** A question that is left to the decision, with the principal as whom it is decided. */
interface OpenQuestion {
  readonly question: Question;
  readonly principal: Principal;
}

const PARTS = ['subject', 'action', 'resource'] as const;
const refusal = (message: string): EvaluationResponse => ({
  decision: false,
  context: { error: { status: 403, message } },
});
const OF_OTHERS = refusal('The subject is not the caller.');
const NAMES_PARENTS = refusal('context.parents is for service accounts with access:thing:read.');

/** Decisions at which the evaluation stops. */
const STOPS: Readonly<Record<Semantic, boolean | null>> = {
  execute_all: null,
  deny_on_first_deny: false,
  permit_on_first_permit: true,
};

/** Answers questions of AuthZEN by the decision of the permission check. */
@Injectable()
export class EvaluationService {
  constructor(
    private readonly abilities: AbilityService,
    private readonly registry: AbilityRegistry,
    private readonly subjects: AskedSubjects,
  ) {}

  /**
   * Evaluates the questions of a request, all about a subject by one decision.
   * @param locale finds the language of reasons; asked for denials only
   * @returns the answers in order, up to the one at which the semantic stops
   * @throws {AppError} validation-error for a question without subject, action or resource, or one
   *   of an account of the platform without organization
   */
  async evaluate(
    caller: Principal,
    { evaluations, options, ...shared }: EvaluationsDto,
    locale: () => Promise<Locale>,
  ): Promise<EvaluationResponse[]> {
    const questions = requireComplete(evaluations, shared);
    const asked = await this.subjects.resolve(caller, questions);
    const namesParents = questions.some(({ context }) => context?.parents);
    const mayNameParents = namesParents && (await this.subjects.mayNameParents(caller));
    const refused = new Map<Question, EvaluationResponse>();
    const decided = new Map<Question, Decision>();
    const open: OpenQuestion[] = [];
    questions.forEach((question, n) => {
      const principal = asked[n] ?? null;
      if (principal === 'refused') refused.set(question, OF_OTHERS);
      else if (question.context?.parents && !mayNameParents) refused.set(question, NAMES_PARENTS);
      else if (principal === null || !(principal === caller || this.isOfTenant(question)))
        decided.set(question, deny('scope_not_held'));
      else open.push({ question, principal });
    });
    for (const group of groupsOf(open)) {
      const checks = group.map(({ question }) => toCheck(question));
      const decisions = await this.abilities.decide(group[0].principal, checks);
      decisions.forEach((decision, n) => group[n] && decided.set(group[n].question, decision));
    }
    const language = [...decided.values()].every(({ allowed }) => allowed) ? null : await locale();
    const all = questions.map((question): EvaluationResponse => {
      const decision = decided.get(question);
      if (!decision) return refused.get(question) ?? OF_OTHERS;
      if (decision.allowed || language === null) return { decision: decision.allowed };
      const { code, reason } = decision;
      return { decision: false, context: { code, reason: formatMessage(reason, language) } };
    });
    const stop = STOPS[options?.evaluations_semantic ?? 'execute_all'];
    const last = all.findIndex(({ decision }) => decision === stop);
    return last === -1 ? all : all.slice(0, last + 1);
  }

  /** Others learn nothing of what a person may do with their account, or as an operator. */
  private isOfTenant({ action }: Question): boolean {
    const scope = this.registry.find(action.name);
    return scope === undefined || scope.audience === 'tenant';
  }
}

/** Groups by principal. Each question with parents is a group: another one may name others. */
const groupsOf = (open: readonly OpenQuestion[]): [OpenQuestion, ...OpenQuestion[]][] =>
  [
    ...Map.groupBy(open, ({ question, principal }) =>
      question.context?.parents ? question : principal,
    ).values(),
  ] as [OpenQuestion, ...OpenQuestion[]][];

/** Fills what a question leaves out with what the request says for all. */
function requireComplete(
  evaluations: readonly EvaluationDto[] | undefined,
  shared: EvaluationDto,
): Question[] {
  const isSingle = evaluations === undefined || evaluations.length === 0;
  const violations: Violation[] = [];
  const questions = (isSingle ? [{}] : evaluations).map((own: EvaluationDto, n) => {
    const context = own.context ?? shared.context;
    const question: EvaluationDto = context ? { context } : {};
    for (const part of PARTS) {
      const value = own[part] ?? shared[part];
      if (value) Object.assign(question, { [part]: value });
      else
        violations.push({
          propertyPath: isSingle ? part : `evaluations[${n}].${part}`,
          message: 'is missing',
        });
    }
    return question as Question;
  });
  if (violations.length > 0) throw new AppError('validation-error', { violations });
  return questions;
}

/** A type without a module fits no scope. */
export function toCheck({
  action,
  resource,
  context,
}: Pick<Question, 'action' | 'resource' | 'context'>): AbilityCheck {
  const [, module = '', collection = ''] = /^([^/]+)\/([^/]+)$/.exec(resource.type) ?? [];
  const parents = context?.parents?.flatMap((uri) => {
    const parent = parseSubject(uri);
    return parent ? [thingOf(parent)] : [];
  });
  return {
    scope: action.name,
    subject: { module, collection, id: resource.id },
    ...(parents && { parents }),
  };
}
