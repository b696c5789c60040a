/** The certificates a mail server's `ca_file` names: read while the configuration is, so that its place can be told. */
import { X509Certificate } from 'node:crypto';
import { dirname, resolve } from 'node:path';
import type { Requirement } from './config-file.ts';
import { tellAt } from './merged.ts';
import type { Merged } from './merged.ts';
import { quote } from './problem.ts';
import { readTextFile } from './reading.ts';
import { holdsReference } from './reference-syntax.ts';

const BLOCK = /-----BEGIN CERTIFICATE-----[^-]*-----END CERTIFICATE-----/g;

/** Where one cannot be read, a check warns and a run is refused, as with a credential; one that is none is an error. */
export async function checkCertificates({ receivers }: Merged, require: Requirement): Promise<void> {
  for (const placed of receivers) {
    const { entry, file } = placed;
    const name = entry.type === 'email' ? entry.smtp.ca_file : undefined;
    if (name === undefined || holdsReference(name)) continue;
    const reading = await readTextFile(resolve(dirname(file.path), name));
    if ('why' in reading) {
      tellAt(placed, ['smtp', 'ca_file'], `${quote(name)}: ${reading.why}`, require === 'run' ? 'error' : 'warning');
    } else if (!holdsCertificates(reading.text)) {
      const message = `${quote(name)} holds no certificate; name a PEM file, whose certificates begin with "-----BEGIN CERTIFICATE-----"`;
      tellAt(placed, ['smtp', 'ca_file'], message);
    }
  }
}

function holdsCertificates(text: string): boolean {
  const blocks = text.match(BLOCK) ?? [];
  return blocks.length > 0 && blocks.every(isCertificate);
}

function isCertificate(block: string): boolean {
  try {
    return new X509Certificate(block).subject !== undefined;
  } catch {
    return false;
  }
}
