import ts from "typescript";

/** A change of one condition or constant of a source file. */
export interface Mutant {
  readonly file: string;
  /** First line is 1. */
  readonly line: number;
  /** Offsets in the text of the file. */
  readonly start: number;
  readonly end: number;
  readonly before: string;
  readonly after: string;
}

const { SyntaxKind } = ts;

const OPERATORS: Readonly<Partial<Record<ts.SyntaxKind, string>>> = {
  [SyntaxKind.EqualsEqualsEqualsToken]: "!==",
  [SyntaxKind.ExclamationEqualsEqualsToken]: "===",
  [SyntaxKind.LessThanToken]: "<=",
  [SyntaxKind.LessThanEqualsToken]: "<",
  [SyntaxKind.GreaterThanToken]: ">=",
  [SyntaxKind.GreaterThanEqualsToken]: ">",
  [SyntaxKind.AmpersandAmpersandToken]: "||",
  [SyntaxKind.BarBarToken]: "&&",
};

/** All mutants of a file, in the order of the text. Pure. */
export function mutantsOf(file: string, text: string): Mutant[] {
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
  const found: Mutant[] = [];
  const add = (node: ts.Node, after: string): void => {
    const start = node.getStart(source);
    const { line } = source.getLineAndCharacterOfPosition(start);
    found.push({ file, line: line + 1, start, end: node.end, before: text.slice(start, node.end), after });
  };
  const visit = (node: ts.Node): void => {
    if (ts.isTypeNode(node) || ts.isInterfaceDeclaration(node) || ts.isTypeAliasDeclaration(node)) return;
    const operator = ts.isBinaryExpression(node) ? OPERATORS[node.operatorToken.kind] : undefined;
    if (ts.isBinaryExpression(node) && operator !== undefined) add(node.operatorToken, operator);
    if (node.kind === SyntaxKind.TrueKeyword) add(node, "false");
    if (node.kind === SyntaxKind.FalseKeyword) add(node, "true");
    if (ts.isNumericLiteral(node)) add(node, `(${node.getText(source)} + 1)`);
    if (ts.isPrefixUnaryExpression(node) && node.operator === SyntaxKind.ExclamationToken)
      add(node, `!!${node.operand.getText(source)}`);
    const condition = conditionOf(node);
    if (condition && isPlain(condition)) add(condition, `!(${condition.getText(source)})`);
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

function conditionOf(node: ts.Node): ts.Expression | undefined {
  if (ts.isIfStatement(node) || ts.isWhileStatement(node)) return node.expression;
  return ts.isConditionalExpression(node) ? node.condition : undefined;
}

/** Other conditions have an operator or a `!` that is a mutant of its own. */
const isPlain = (condition: ts.Expression): boolean =>
  ts.isIdentifier(condition) || ts.isCallExpression(condition) || ts.isPropertyAccessExpression(condition);

export const mutated = (text: string, { start, end, after }: Mutant): string =>
  text.slice(0, start) + after + text.slice(end);

/** Picks `count` different ones at random; the same ones for the same `random`. Pure. */
export function sample<Item>(items: readonly Item[], count: number, random: () => number): Item[] {
  const left = [...items];
  return Array.from({ length: Math.min(count, left.length) }, () =>
    left.splice(Math.floor(random() * left.length), 1),
  ).flat();
}
