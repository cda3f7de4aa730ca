export { noSiblings, type Siblings } from '@bursar/bus'
export { type Asset, assets as docsAssets, fromSwaggerUi, pagePolicy, titleOf } from './docs/docs-page'
export { isJson as isJsonType, maxBodyBytes, requireModest } from './edge/body'
export { createDrain, type Drain } from './edge/drain'
export { errorResponse, leaveLengthOpen, report } from './edge/edge'
export { readFileBody, type SentFile } from './edge/file-body'
export type { Servable } from './edge/open-port'
export { isLoopback } from './edge/own-pages'
export { toAppError } from './edge/to-app-error'
export { type ErrorShape, errorBody } from './errors/error-shapes'
export { AppError, defineErrors, type FieldProblem } from './errors/errors'
export { fieldProblems } from './errors/validation'
export { isOpenToOthers, isSharedByAll } from './life/data-folder'
export { runMain } from './life/run-main'
export { type Deps, type RunningService, type ServiceDefinition, startService } from './life/start-service'
export { stopTogether } from './life/stop-together'
export { createWakes, type Wakes } from './life/wakes'
export { type Checks, type Health, plainHealth, runChecks, type Waits } from './observe/health'
export { createLog, logSettled, plainLines } from './observe/log'
export { createMetrics, type Metrics } from './observe/metrics'
export { metricsFor } from './observe/metrics-text'
export { createOperations, type Operations } from './observe/operations'
export { recordLog } from './observe/tracking'
export { actorOf } from './peers/actor'
export { apiKeyHash, apiKeyPrefixes, isOfEnvironment } from './peers/api-key'
export { CallError, ifCallFails, isCallError, isRefused, orNull } from './peers/call-error'
export { type Client, createClient } from './peers/client'
export { type Consumer, consumer, receiving } from './peers/consumer'
export { fetchPeer } from './peers/fetch-peer'
export { gathered } from './peers/gathered'
export {
  type Caller,
  createIdentity,
  type Identity,
  identityHeader,
  internalSecretFile,
  openInternalSecret,
  requireMayCreate,
} from './peers/identity'
export {
  endedInstitutions,
  type InstitutionFollower,
  institutionConsumers,
  institutionReplicas,
  institutionWorkers,
} from './peers/institutions'
export { mapConcurrent } from './peers/map-concurrent'
export { authenticatedParticipant, callingParticipant } from './peers/participant'
export {
  changedPages,
  changesSince,
  followPeer,
  type Reconciliation,
  type RecordOf,
  reconcile,
  reconciling,
} from './peers/reconcile'
export { createRestarts, type Restarts } from './peers/restarts'
export { isTooLongForSocket, socketFile } from './peers/sockets'
export { wasNeverSent } from './peers/unreachable'
export { addressList, isListed } from './request/address-list'
export { clientAddress } from './request/client-address'
export {
  asRequest,
  currentRequest,
  currentRequestId,
  inRequest,
  type RequestContext,
  requestIdFrom,
} from './request/context'
export { asOfThisMachine, peerAddress } from './request/peer-address'
export { answerEach } from './routes/answer-each'
export { answersOf, orRefusal, unlessRefused } from './routes/answer-together'
export { type CsvColumns, csvAnswer, csvResponse, fieldColumns } from './routes/csv'
export {
  idempotencyKeyOf,
  idempotent,
  keyOwner,
  ownKeyOf,
  type RepeatableContext,
  type Reply,
} from './routes/idempotency'
export { ChangesQuery, internalRoutes } from './routes/internal-routes'
export { countedArray, jsonArray } from './routes/json-array'
export { keysetQuery, totalHeader, totalText } from './routes/keyset'
export { failuresOf, operation } from './routes/operation'
export { Deleted, deleted, page, pageOf } from './routes/page'
export {
  offsetQuery,
  pageQuery,
  queryBoolean,
  queryInteger,
  queryOffset,
  queryTime,
  queryUuid,
  queryUuids,
  queryWords,
} from './routes/query'
export { response } from './routes/response'
export { forParticipant, idempotencyKeys, needsSecret } from './routes/route-details'
export { type Sought, searchRoutes } from './routes/search'
export { createSingleFlight, type SingleFlight } from './routes/single-flight'
export type { KeyRing } from './secrets/key-ring'
export { resealPlace, type SealedPlace, sealedAnswers, sealedColumn } from './secrets/resealing'
export {
  createSeal,
  deploymentSeal,
  isSealed,
  openSealingKey,
  openServiceKey,
  type Seal,
  SealBrokenError,
} from './secrets/sealed'
export { sha256 } from './secrets/sha256'
export { service } from './service'
export {
  type Authorization,
  authorizationSetting,
  databaseSetting,
  integerSetting,
  listSetting,
  type ServiceConfig,
  serviceConfig,
  wordSetting,
} from './settings/config'
export { ConfigError, type Environment } from './settings/config-error'
export { environment, isSecretSetting } from './settings/environment'
export { followTrace, traceOf } from './trace/followed'
export { askedPeer, servedRequest } from './trace/spans'
export { traceparentOf } from './trace/trace-context'
export { noTracer, type Tracer } from './trace/tracer'
