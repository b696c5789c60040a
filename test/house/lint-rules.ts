/** Rules of this house for the linter: what has ended the program once must not be written again. */

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
        const message = 'Spread no list into a call, a long one ends the program: see core/transition/long-lists.ts';
        context.report({ node, message });
      }
    };
    return { CallExpression: refuse, NewExpression: refuse };
  },
};

const house = { meta: { name: 'house' }, rules: { 'no-spread-into-calls': noSpreadIntoCalls } };

// oxlint-disable-next-line import/no-default-export -- the linter takes a plugin from there
export default house;
