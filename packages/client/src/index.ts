export type { components, paths, webhooks } from './api.js'
export { type Bursar, type BursarOptions, createBursar } from './bursar.js'
export type { Answer, CallOptions, DataOf, InitOf, Method, PathOf } from './calls.js'
export { type ClientCredentials, clientCredentials } from './client-credentials.js'
export { BursarError, type FieldProblem } from './errors.js'
export { type ItemOf, ListError, type ListInit } from './lists.js'
export type { Repeats } from './repeats.js'
export type { ListPath } from './routes.js'
export { type LogIn, logIn, resumeSession, type Session, type Tokens } from './session.js'
export type { AccessTokens } from './tokens.js'
export {
  type Delivery,
  type ReceivedHeaders,
  verifyWebhook,
  type WebhookEvent,
  type WebhookType,
  WebhookVerificationError,
} from './webhooks.js'
