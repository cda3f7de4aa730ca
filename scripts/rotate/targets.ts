import { type ServiceName, serviceNames } from '@bursar/contracts/services'
import { internalSecretFile } from '@bursar/http'

/** A key file that can be rotated. */
export interface KeyFile {
  file: string
  /** The setting that replaces it. */
  setting: string
  /** Who uses it; the first one's database needs it. */
  users: readonly [ServiceName, ...ServiceName[]]
  /** For people. */
  what: string
}

/** By their names on the command line. */
export const keyFiles: Readonly<Record<string, KeyFile>> = {
  internal: {
    file: internalSecretFile,
    setting: 'INTERNAL_SECRET',
    users: ['gateway', ...serviceNames.filter((name) => name !== 'gateway')],
    what: 'the secret by which the services know each other, and sign events',
  },
  identity: {
    file: 'identity.key',
    setting: 'IDENTITY_SECRET_KEY',
    users: ['identity-manager'],
    what: 'encrypts the keys of access tokens, authenticators and mails',
  },
  'main-api': {
    file: 'main-api.key',
    setting: 'MAIN_SECRET_KEY',
    users: ['main-api'],
    what: 'encrypts API keys that were issued, and what AML checks were asked about',
  },
  participant: {
    file: 'participant.key',
    setting: 'PARTICIPANT_SECRET_KEY',
    users: ['participant'],
    what: 'encrypts the participants’ API keys',
  },
  quote: {
    file: 'quote.key',
    setting: 'QUOTE_SECRET_KEY',
    users: ['quote'],
    what: 'encrypts the providers’ credentials',
  },
  webhook: {
    file: 'webhook.key',
    setting: 'WEBHOOK_SECRET_KEY',
    users: ['webhook'],
    what: 'encrypts the secrets of webhook endpoints',
  },
}
