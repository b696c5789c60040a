/** Rules of this house for the linter: what has ended the program once must not be written again. */
import { checkSync } from 'recheck';

interface Call {
  arguments: readonly { type: string }[];
}

interface Context {
  report(found: { node: object; message: string }): void;
}

/** A list spread into a call becomes that many arguments, and the stack ends at some hundred thousand of them. */
export const noSpreadIntoCalls = {
  meta: { type: 'problem', docs: { description: 'Disallow spreading a list into the arguments of a call' } },
  create(context: Context) {
    const refuse = (call: Call): void => {
      for (const node of call.arguments) {
        if (node.type !== 'SpreadElement') continue;
        const message = 'Spread no list into a call, a long one ends the program: see core/transition/collections.ts';
        context.report({ node, message });
      }
    };
    return { CallExpression: refuse, NewExpression: refuse };
  },
};

interface Pattern {
  regex?: { pattern: string; flags: string };
}

interface Construction {
  callee: { type: string; name?: string };
}

/**
 * A pattern whose time grows faster than the text lets a page stop the process: 60 kB of blanks took one seven seconds.
 * The automaton proves each literal linear; a pattern too intricate to be proven in time counts as slow.
 */
export const noSlowPatterns = {
  meta: { type: 'problem', docs: { description: 'Disallow patterns that are not proven to take linear time' } },
  create(context: Context) {
    const refuseMade = (node: Construction): void => {
      if (node.callee.type !== 'Identifier' || node.callee.name !== 'RegExp') return;
      context.report({ node, message: 'Write the pattern as a literal: only a literal can be proven linear' });
    };
    return {
      Literal(node: Pattern): void {
        if (node.regex === undefined) return;
        const proof = checkSync(node.regex.pattern, node.regex.flags, { checker: 'automaton' });
        if (proof.status === 'safe') return;
        const found =
          proof.status === 'vulnerable' ? `this one is ${proof.complexity.summary}` : 'this one is unproven';
        context.report({ node, message: `A pattern over text from outside takes linear time: ${found}` });
      },
      NewExpression: refuseMade,
      CallExpression: refuseMade,
    };
  },
};

const house = {
  meta: { name: 'house' },
  rules: { 'no-spread-into-calls': noSpreadIntoCalls, 'no-slow-patterns': noSlowPatterns },
};

// oxlint-disable-next-line import/no-default-export -- the linter takes a plugin from there
export default house;
