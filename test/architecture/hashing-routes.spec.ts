import { dirname, resolve } from 'node:path';
import ts from 'typescript';

const ROUTE_DECORATORS = new Set(['All', 'Delete', 'Get', 'Patch', 'Post', 'Put']);
const LIMITS_OF_HASHING = ['LOGIN_LIMIT', 'HASH_LIMIT'];
const SOURCES = resolve('src');

type Callable = ts.FunctionLikeDeclaration & { readonly body: ts.Node };

/** Call graph of the service's functions. */
class CallGraph {
  private readonly checker: ts.TypeChecker;
  private readonly byName = new Map<string, Callable[]>();
  /** Names by which a file calls what it imports under another one. */
  private readonly aliases = new Set<string>();
  private readonly reached = new Map<Callable, ReadonlySet<Callable>>();
  private listening: ReadonlyMap<string, readonly Callable[]> | undefined;
  readonly methods: ts.MethodDeclaration[] = [];

  constructor(program: ts.Program) {
    this.checker = program.getTypeChecker();
    for (const file of program.getSourceFiles()) {
      if (dirname(file.fileName).startsWith(SOURCES)) this.collect(file);
    }
  }

  method(className: string, name: string): Callable {
    const found = this.methods.find(
      (one) => one.name.getText() === name && (one.parent as ts.ClassDeclaration).name?.text === className,
    );
    if (!isCallable(found)) throw new Error(`There is no ${className}.${name}.`);
    return found;
  }

  /**
   * Returns what a function can reach, with itself: by a call, by passing it on, or by an event
   * that it emits.
   */
  reachedBy(from: Callable): ReadonlySet<Callable> {
    const seen = new Set<Callable>([from]);
    for (const one of seen) for (const next of this.referencesOf(one)) seen.add(next);
    return seen;
  }

  private collect(node: ts.Node): void {
    if (ts.isMethodDeclaration(node)) this.methods.push(node);
    if (ts.isImportSpecifier(node) && node.propertyName) this.aliases.add(node.name.text);
    if (isCallable(node) && node.name) {
      const name = node.name.getText();
      this.byName.set(name, [...(this.byName.get(name) ?? []), node]);
    }
    ts.forEachChild(node, (child) => this.collect(child));
  }

  private referencesOf(one: Callable): ReadonlySet<Callable> {
    const known = this.reached.get(one);
    if (known) return known;
    const found = new Set<Callable>();
    const visit = (node: ts.Node): void => {
      if (ts.isIdentifier(node)) for (const next of this.meantBy(node)) found.add(next);
      if (ts.isStringLiteral(node)) for (const next of this.listeners.get(node.text) ?? []) found.add(next);
      ts.forEachChild(node, visit);
    };
    visit(one.body);
    this.reached.set(one, found);
    return found;
  }

  /**
   * Returns the functions of a name; for an interface or abstract class, all functions of that
   * name but routes, which no code calls.
   */
  private meantBy(identifier: ts.Identifier): readonly Callable[] {
    // What no function is called needs no type checker, which takes most of the time.
    if (!this.byName.has(identifier.text) && !this.aliases.has(identifier.text)) return [];
    const symbol = this.checker.getSymbolAtLocation(identifier);
    if (!symbol) return [];
    const { declarations = [] } =
      symbol.flags & ts.SymbolFlags.Alias ? this.checker.getAliasedSymbol(symbol) : symbol;
    return declarations.flatMap((one) => {
      if (!dirname(one.getSourceFile().fileName).startsWith(SOURCES)) return [];
      if (isCallable(one)) return [one];
      const isOpen = ts.isMethodSignature(one) || ts.isMethodDeclaration(one);
      return isOpen ? (this.byName.get(identifier.text) ?? []).filter((other) => !isRoute(other)) : [];
    });
  }

  /** Methods by the event on which they are called. */
  private get listeners(): ReadonlyMap<string, readonly Callable[]> {
    if (this.listening) return this.listening;
    const listening = new Map<string, Callable[]>();
    for (const one of this.methods)
      for (const event of decoratorsOf(one).get('OnLifecycle') ?? [])
        if (isCallable(one)) listening.set(event, [...(listening.get(event) ?? []), one]);
    return (this.listening = listening);
  }
}

function isCallable(node: ts.Node | undefined): node is Callable {
  return node !== undefined && ts.isFunctionLike(node) && 'body' in node && node.body !== undefined;
}

function isRoute(node: ts.Node): node is ts.MethodDeclaration {
  return (
    ts.isMethodDeclaration(node) && [...decoratorsOf(node).keys()].some((name) => ROUTE_DECORATORS.has(name))
  );
}

/**
 * Returns the decorators of a method, with those that one of its file joins by `applyDecorators`:
 * string arguments and names of constants by name.
 */
function decoratorsOf(method: ts.MethodDeclaration): ReadonlyMap<string, readonly string[]> {
  const calls = (ts.getDecorators(method) ?? [])
    .map(({ expression }) => expression)
    .filter(ts.isCallExpression);
  const joined = calls.flatMap((call) => joinedBy(call.expression.getText(), method.getSourceFile()));
  return new Map(
    [...calls, ...joined].map((call) => [
      call.expression.getText(),
      call.arguments.flatMap((one) => (ts.isStringLiteral(one) || ts.isIdentifier(one) ? [one.text] : [])),
    ]),
  );
}

/** Returns what a constant of the file passes to `applyDecorators`. */
function joinedBy(name: string, file: ts.SourceFile): readonly ts.CallExpression[] {
  const declared = file.statements
    .filter(ts.isVariableStatement)
    .flatMap(({ declarationList }) => declarationList.declarations)
    .find((one) => one.name.getText() === name)?.initializer;
  const body = declared && ts.isArrowFunction(declared) ? declared.body : undefined;
  if (!body || !ts.isCallExpression(body) || body.expression.getText() !== 'applyDecorators') return [];
  return body.arguments.filter(ts.isCallExpression);
}

describe('Routes that hash a password or queue a job', () => {
  const config = ts.getParsedCommandLineOfConfigFile(
    'tsconfig.json',
    {},
    {
      ...ts.sys,
      onUnRecoverableConfigFileDiagnostic: ({ messageText }) => {
        throw new Error(String(messageText));
      },
    },
  );
  const files = config?.fileNames.filter((name) => name.startsWith(SOURCES)) ?? [];
  const graph = new CallGraph(ts.createProgram(files, config?.options ?? {}));
  const hashes = ['hash', 'verify'].map((name) => graph.method('PasswordHasher', name));
  const routes = graph.methods.filter(isRoute);
  const queueing = graph.method('JobQueue', 'add');
  const limiting = graph.method('RateLimits', 'take');
  const named = routes.map((method) => {
    const reached = graph.reachedBy(method as ts.MethodDeclaration & Callable);
    return {
      name: `${(method.parent as ts.ClassDeclaration).name?.text}.${method.name.getText()}`,
      limit: decoratorsOf(method).get('StrictLimit')?.[0] ?? 'none',
      hashes: hashes.some((one) => reached.has(one)),
      isPublic: decoratorsOf(method).has('Public'),
      queues: reached.has(queueing),
      isLimitedSilently: reached.has(limiting),
    };
  });

  it('that hash are limited by network: bucket login or hash', () => {
    const hashing = named.filter((route) => route.hashes);
    expect(hashing.map(({ name }) => name)).toEqual(
      expect.arrayContaining([
        'AuthController.register',
        'PasswordResetController.resetPassword',
        'MeController.changeMyPassword',
        'SessionController.login',
      ]),
    );
    expect(hashing.filter(({ limit }) => !LIMITS_OF_HASHING.includes(limit))).toEqual([]);
  });

  it('that hash are all that take from the bucket hash', () => {
    expect(named.filter(({ limit, hashes }) => limit === 'HASH_LIMIT' && !hashes)).toEqual([]);
  });

  it('that queue a job for anyone are limited by network, or need a proof: of an identity provider, a client or a token', () => {
    const queueing = named.filter(({ queues, isPublic }) => queues && isPublic);
    expect(queueing.map(({ name }) => name)).toContain('AuthController.resendVerification');
    const unlimited = queueing.filter(
      ({ limit, isLimitedSilently }) => limit === 'none' && !isLimitedSilently,
    );
    expect(unlimited.map(({ name }) => name)).toEqual([
      'ExternalController.completeExternalSignIn',
      'ExternalController.completeExternalSignInByForm',
      'ExternalController.completeExternalSignInByConnection',
      'ExternalController.completeExternalSignInByFormOfConnection',
      'ExternalController.redeemExternalCode',
      'NoticesController.receiveAppleNotification',
      'NoticesController.receiveFacebookDeauthorization',
      'NoticesController.receiveFacebookDeletion',
      'SamlLogoutController.logoutBySaml',
      'SamlLogoutController.logoutBySamlForm',
      'BackchannelLogoutController.logoutByToken',
      'UpstreamSignalController.receiveSignal',
      'LogoutController.endSession',
      'LogoutController.endSessionByForm',
      'SamlLogoutController.signOutBySaml',
      'SamlLogoutController.signOutBySamlForm',
      'CodeController.exchangeSatelliteCode',
    ]);
  });
});
