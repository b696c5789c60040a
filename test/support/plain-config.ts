/** A configuration of which only the receivers matter. */
import { readSettings, type Config } from '../../src/config/config.ts';

export function configWith(receivers: Config['receivers']): Config {
  const settings = readSettings({});
  return {
    ...settings,
    file: 'test',
    instance: 'test',
    timezone: 'UTC',
    stateDir: '/',
    credentialsDir: '/',
    http: { ...settings.http, listenWanted: false },
    accounts: [],
    receivers,
    digest: null,
    rotas: [],
    route: null,
  };
}
