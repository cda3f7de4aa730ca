import { toWords } from '../../format/words'
import type { AuditAct } from './audit-query'

/** What a person did, after their name: `suspended …`. `{}` is the record that it was about. */
const sentences: Readonly<Record<string, string>> = {
  'POST /console/api/session': 'logged in',
  'DELETE /console/api/session': 'logged out',
  'POST /console/api/services/:name/dead-letters/:id/retry': 'retried a dead letter',
  'PUT /console/api/review/:id/assignee': 'assigned {}',
  'POST /console/api/review/:id/comments': 'commented on {}',
  'PUT /console/api/institutions/:id/addresses': 'set the allowed addresses of {}',
  'REQUEST from a foreign address': 'came from an address that is not allowed for {}',
  'USE of an API key from a foreign address': 'used an API key from an address that is not allowed for {}',
  'START after a restore': 'started after a restore from a backup',
  'POST /auth/login': 'logged in',
  'POST /auth/logout': 'logged out',
  'POST /auth/mfa': 'showed the second factor to log in',
  'POST /auth/mfa/options': 'asked for a passkey’s challenge',
  'POST /auth/refresh': 'renewed a session',
  'POST /auth/forgot-password': 'asked for a new password',
  'POST /auth/reset-password/:resetPasswordToken': 'set a new password',
  'POST /auth/change-password/:changePasswordToken': 'changed the password',
  'POST /auth/single-sign-on/begin': 'began a log-in through the provider',
  'POST /auth/single-sign-on/complete': 'logged in through the provider',
  'POST /users/change-password-token': 'asked to change the password',
  'POST /users/mfa/totp': 'began to set up an authenticator',
  'POST /users/mfa/totp/confirm': 'set up an authenticator',
  'POST /users/mfa/totp/remove': 'removed the authenticator',
  'POST /users/mfa/recovery-codes': 'renewed the recovery codes',
  'POST /users/mfa/verify': 'showed the second factor',
  'POST /users/mfa/options': 'asked for a passkey’s challenge',
  'POST /users/mfa/passkeys/options': 'began to add a passkey',
  'POST /users/mfa/passkeys': 'added a passkey',
  'POST /users/mfa/passkeys/:passkeyId/remove': 'removed a passkey',
  'POST /users': 'invited the user {}',
  'POST /users/register': 'registered as {}',
  'PUT /users/:userId': 'changed the user {}',
  'DELETE /users/:userId': 'deleted the user {}',
  'POST /users/:userId/password-reset': 'had the password of {} reset',
  'POST /users/:userId/mfa-reset': 'removed the second factor of {}',
  'DELETE /users/:userId/sessions': 'ended the sessions of {}',
  'DELETE /users/:userId/provider-accounts': 'unlinked the provider accounts of {}',
  'DELETE /users/sessions/:id': 'ended a session',
  'POST /custodian-bank/users': 'invited the custodian’s user {}',
  'PUT /custodian-bank/users/:userId': 'changed the custodian’s user {}',
  'DELETE /custodian-bank/users/:userId': 'deleted the custodian’s user {}',
  'POST /accounts': 'opened the account {}',
  'PUT /accounts/:id': 'changed the account {}',
  'POST /customers': 'created the customer {}',
  'PUT /customers/:id': 'changed the customer {}',
  'POST /participants': 'registered the institution {}',
  'PUT /participants/:id': 'changed the participant {}',
  'PATCH /participants/:id': 'changed the participant {}',
  'DELETE /participants/:id': 'deleted the participant {}',
  'PUT /participants/detail': 'changed the details of the institution',
  'POST /participants/api-key': 'issued an API key',
  'POST /participants/:id/accounts': 'added a bank account of {}',
  'POST /participants/:id/documents': 'uploaded a document of {}',
  'POST /admin/pfi/:id/documents': 'uploaded a document of {}',
  'POST /admin/pfi/:id/invitation': 'invited the first user of {}',
  'PUT /admin/pfi/:id/status': 'set the status of {}',
  'PUT /admin/pfi/:id/credit-line': 'set a credit line of {}',
  'POST /admin/additional-information': 'added information about an institution',
  'PUT /admin/additional-information/:id': 'changed information about an institution',
  'DELETE /admin/additional-information/:id': 'deleted information about an institution',
  'POST /admin/custodian-bank': 'added the custodian bank {}',
  'DELETE /admin/custodian-bank/:id': 'removed the custodian bank {}',
  'POST /aml-engine': 'had an institution checked',
  'POST /transactions/deposit': 'entered the deposit {}',
  'POST /transactions/withdrawal': 'ordered the withdrawal {}',
  'POST /transactions/transfer': 'ordered the transfer {}',
  'POST /transactions/withdraw': 'ordered a withdrawal',
  'POST /transactions/reference/withdraw': 'ordered a withdrawal',
  'POST /transactions/reference/transfer': 'ordered a transfer',
  'POST /api/v1/core/transactions/portfolio/execute': 'had a portfolio execute an order',
  'POST /api/v1/core/transactions/portfolio/sign-message': 'had a portfolio sign a message',
  'POST /transactions/complete-screening': 'completed the screening of {}',
  'POST /transactions/:id/approve-frozen-deposit': 'approved the deposit {}',
  'POST /transactions/:id/approve-frozen-withdrawal': 'approved {}',
  'POST /transactions/:id/reject-frozen-deposit': 'rejected the deposit {}',
  'POST /transactions/:id/reject-frozen-withdrawal': 'rejected {}',
  'POST /transactions/:id/fail': 'failed {}',
  'POST /transactions/:id/release': 'had {} credited after all',
  'POST /transactions/:id/return': 'had {} sent back',
  'POST /transactions/:id/cover': 'covered what is missing since {}',
  'POST /balances/account/:accountId/movements/cover':
    'covered what is missing since its chain has taken back a movement to the account {}',
  'POST /transactions/:id/retry': 'brought the next attempt of {} forward',
  'POST /transactions/additional-request/:transactionId': 'asked for more about the payment {}',
  'POST /books/reconciliation/rounds': 'had the books compared with the chains',
  'POST /deposit': 'entered the bank deposit {}',
  'POST /do-deposit': 'entered the bank deposit {}',
  'POST /management/deposit': 'entered the bank deposit {}',
  'PUT /deposit/:reference': 'moved the bank deposit {}',
  'PUT /deposit/:reference/update': 'changed the bank deposit {}',
  'PUT /do-deposit/:reference': 'moved the bank deposit {}',
  'POST /withdrawal': 'ordered the bank withdrawal {}',
  'PUT /withdrawal/:transactionId': 'moved the bank withdrawal {}',
  'PUT /withdrawal/:transactionId/update': 'changed the bank withdrawal {}',
  'POST /transfer': 'ordered the bank transfer {}',
  'PUT /transfer/:transactionId': 'moved the bank transfer {}',
  'PUT /transfer/:transactionId/review': 'reviewed the bank transfer {}',
  'POST /transfer/cancel': 'cancelled a bank transfer',
  'POST /transfer/execute-many-send-payment': 'ordered several bank transfers',
  'POST /assets': 'added the asset {}',
  'PUT /assets/:id': 'changed the asset {}',
  'PATCH /assets/:id': 'changed the asset {}',
  'PATCH /assets/:id/static-value': 'fixed the value of the asset {}',
  'DELETE /assets/:id': 'deleted the asset {}',
  'POST /categories': 'added the category {}',
  'PUT /categories/:id': 'changed the category {}',
  'DELETE /categories/:id': 'deleted the category {}',
  'POST /providers': 'added the rate provider {}',
  'PUT /providers/:id': 'changed the rate provider {}',
  'DELETE /providers/:id': 'deleted the rate provider {}',
  'POST /asset-providers': 'had a provider price an asset',
  'DELETE /asset-providers/:assetId/providers/:providerId': 'took an asset from a provider',
  'POST /category-providers': 'had a provider price a category',
  'DELETE /category-providers/:id/category/:categoryId': 'took a category from a provider',
  'POST /rates': 'asked for a rate',
  'POST /sanctions/verify-address': 'had an address screened',
  'POST /sanctions/verify-address/sync': 'had an address screened',
  'POST /sanctions/verify-transaction': 'had a chain’s transaction screened',
  'POST /sanctions/verify-transaction/sync': 'had a chain’s transaction screened',
  'POST /simulated/:network/deposits': 'paid in on a simulated network',
  'POST /wallets/accounts': 'made a wallet',
  'POST /wallets/:id/token-account': 'made a token account of {}',
  'POST /messages': 'wrote the message {}',
  'POST /log-messages/test-add-log-message': 'wrote a test message into the log',
  'POST /webhooks/endpoints': 'registered the webhook endpoint {}',
  'PUT /webhooks/endpoints/:id': 'changed the webhook endpoint {}',
  'DELETE /webhooks/endpoints/:id': 'deleted the webhook endpoint {}',
  'POST /webhooks/endpoints/:id/enable': 'enabled the webhook endpoint {}',
  'POST /webhooks/endpoints/:id/recover': 'had failed deliveries to the endpoint {} sent again',
  'POST /webhooks/endpoints/:id/rotate-secret': 'renewed the secret of the endpoint {}',
  'POST /webhooks/endpoints/:id/test': 'sent a test event to the endpoint {}',
  'POST /webhooks/delivery/:deliveryId/replay': 'sent the delivery {} again',
  'POST /webhooks/delivery/replay-failed': 'sent failed deliveries again',
}

/** What the actions in a filter are called, by their routes: each sentence once. */
export const knownActions: readonly (readonly [action: string, words: string])[] = Object.entries(sentences)
  .map(([action]) => [action, actTitle({ action, newStatus: null })] as const)
  .filter(([, words], i, all) => all.findIndex(([, other]) => other === words) === i)
  .sort(([, one], [, other]) => one.localeCompare(other))

/** What it is to give a record this status. */
const statusVerbs: Readonly<Record<string, string>> = {
  active: 'activated',
  suspended: 'suspended',
  inactive: 'deactivated',
  disabled: 'disabled',
  deleted: 'deleted',
}

/** An act with what tells it from others of its route. */
type Told = Pick<AuditAct, 'action' | 'newStatus'>

/** The sentence around the record: `['suspended the account ', '']`; the route itself where it is not known. */
export function sentenceOf({ action, newStatus }: Told): [before: string, after: string | null] {
  // Some routes have a second path in the specification.
  const paths = [action, action.replace(/ (\/api\/v1\/core|\/admin(?=\/users))\//, ' /')]
  const [sentence] = paths.flatMap((path) => (Object.hasOwn(sentences, path) ? [sentences[path]] : []))
  if (sentence === undefined) return [`did ${action}`, null]
  const [before = '', after] = withStatus(sentence, newStatus).split('{}')
  return [before, after ?? null]
}

function withStatus(sentence: string, newStatus: string | null): string {
  if (newStatus === null || !/^(changed|moved|set the status of) /.test(sentence)) return sentence
  const verb = Object.hasOwn(statusVerbs, newStatus.toLowerCase()) ? statusVerbs[newStatus.toLowerCase()] : undefined
  if (verb && sentence.startsWith('changed ')) return sentence.replace('changed', verb)
  return `${sentence} to ${toWords(newStatus)}`
}

/** The same as a title: `Suspended the account`. */
export function actTitle(told: Told): string {
  const [before, after] = sentenceOf(told)
  const words = `${before.replace(/ (the|of|on) *$/, ' ')}${after ?? ''}`.replace(/\s+/g, ' ').trim()
  return words.charAt(0).toUpperCase() + words.slice(1)
}
