/** The manual page `linewatch(1)`, generated from the commands. */
import { EVERYWHERE, type CommandNode, type OptionNode } from '../command-node.ts';

export interface ManPageFrame {
  readonly version: string;
  /** Day of the build. */
  readonly date: string;
}

/** In roff, with the macros of man(7). */
export function formatManPage(root: CommandNode, { version, date }: ManPageFrame): string {
  const [account, others] = [root.commands.find(isAccount), root.commands.filter((node) => !isAccount(node))];
  const lines = [
    `.TH LINEWATCH 1 "${date}" "linewatch ${version}" "User Commands"`,
    formatSection('NAME'),
    `linewatch \\- tells what changed at a telephony provider and on one's own account`,
    formatSection('SYNOPSIS'),
    '.B linewatch',
    '[\\fB\\-\\-config\\fR \\fIFILE\\fR] \\fICOMMAND\\fR [\\fIARGUMENT\\fR...]',
    formatSection('DESCRIPTION'),
    escapeRoff(root.description),
    formatSection('OPTIONS'),
    ...[...EVERYWHERE, ...root.options].flatMap(optionLines),
    formatSection('COMMANDS'),
    ...others.flatMap((node) => commandLines(node, '')),
    ...(account === undefined ? [] : accountLines(account)),
    ...FILES,
  ];
  return `${lines.join('\n')}\n`;
}

function isAccount({ name }: CommandNode): boolean {
  return name === 'account';
}

/** Heading of a section. */
export function formatSection(title: string): string {
  return `.SH ${title}`;
}

function commandLines(node: CommandNode, above: string): string[] {
  const name = `${above} ${node.name}`.trim();
  if (node.commands.length > 0) return node.commands.flatMap((below) => commandLines(below, name));
  const words = node.words.map(({ written }) => ` ${escapeRoff(written)}`).join('');
  return [
    `.SS linewatch ${escapeRoff(name)}${words}`,
    escapeRoff(node.description === '' ? node.summary : node.description),
    ...node.words.flatMap(({ written, meaning }) => ['.TP', `\\fI${escapeRoff(written)}\\fR`, escapeRoff(meaning)]),
    ...node.options.flatMap(optionLines),
    ...(node.examples.length === 0 ? [] : ['.PP', 'Examples:']),
    ...node.examples.flatMap(([line, meaning]) => ['.TP', `\\fB${escapeRoff(line)}\\fR`, escapeRoff(meaning)]),
  ];
}

function optionLines({ name, placeholder, summary }: OptionNode): string[] {
  const value = placeholder === null ? '' : ` \\fI${escapeRoff(placeholder)}\\fR`;
  return ['.TP', `\\fB${escapeRoff(name)}\\fR${value}`, escapeRoff(summary)];
}

/** Pages for all its operations would fill a book: `--help` has them. */
function accountLines(account: CommandNode): string[] {
  return [
    '.SS linewatch account \\fIRESOURCE\\fR \\fIVERB\\fR [\\fIIDS\\fR] [\\fB\\-\\-FIELD\\fR \\fIVALUE\\fR...]',
    escapeRoff(account.description),
    'What changes something asks first.',
    '.B linewatch account',
    '\\fIRESOURCE\\fR \\fIVERB\\fR \\fB\\-\\-help\\fR explains an operation and each of its fields.',
    ...resourceLines(account.commands, ''),
  ];
}

function resourceLines(nodes: readonly CommandNode[], above: string): string[] {
  return nodes
    .filter(({ commands }) => commands.length > 0)
    .flatMap((node) => {
      const name = `${above} ${node.name}`.trim();
      const verbs = node.commands.filter(({ commands }) => commands.length === 0);
      const own = ['.TP', `\\fB${escapeRoff(name)}\\fR`, escapeRoff(verbs.map((verb) => verb.name).join(', '))];
      return [...(verbs.length === 0 ? [] : own), ...resourceLines(node.commands, name)];
    });
}

/** Escapes text for roff: dashes stay copyable, and no line start is a request. */
export function escapeRoff(text: string): string {
  return text
    .replaceAll('\\', '\\e')
    .replaceAll('-', '\\-')
    .replaceAll('`', '\\(ga')
    .replaceAll('^', '\\(ha')
    .replaceAll('~', '\\(ti')
    .replaceAll(/\s*\n\s*/g, ' ')
    .replace(/^(?=['.])/, '\\&');
}

const FILES = `.SH EXIT STATUS
.TP
.B 0
Done.
.TP
.B 1
It was right and could not be done.
.TP
.B 2
Wrong usage or configuration.
.PP
.B linewatch check
ends as a monitoring plugin: 0 fine, 1 warning, 2 critical, 3 unknown.
.SH ENVIRONMENT
.TP
.B LINEWATCH_CONFIG
The configuration, where \\fB\\-\\-config\\fR names none.
.TP
.BR HTTP_PROXY ", " HTTPS_PROXY ", " NO_PROXY
The way out.
.TP
.B NO_COLOR
No colour and no spinner.
.TP
.BR STATE_DIRECTORY ", " CREDENTIALS_DIRECTORY
Set by systemd: where the state is, and the secrets that \\fB\${credential:NAME}\\fR names.
.SH FILES
.TP
.I /etc/linewatch/linewatch.yaml
The configuration.
.TP
.I /etc/linewatch/linewatch.example.yaml
Every key of it, with its default.
.TP
.I /var/lib/linewatch
What is known, what is open and what waits to be delivered.
.SH SEE ALSO
.BR linewatch.yaml (5),
the pages in
.I /usr/share/doc/linewatch/docs
for its administrator,
.BR systemctl (1),
.BR journalctl (1)`.split('\n');
