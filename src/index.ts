/** Library: typed clients of the provider's two interfaces, their errors, and the catalogue they are built from. */
export {
  createAccountClient,
  createReadOnlyClient,
  type AccountClient,
  type ReadOnlyClient,
} from './provider/account-client.ts';
export type { AccountClientOptions, RetryOptions } from './provider/account-requests.ts';
export type { AnswerOf } from './provider/answer.ts';
export type { CallOptions, FileOptions } from './provider/call.ts';
export {
  accountCatalogue,
  type AccountOperationId,
  type AccountReadId,
} from './provider/catalogue/account-catalogue.ts';
export { statusCatalogue } from './provider/catalogue/status-catalogue.ts';
export { isTransient, PROVIDER_ERROR_CODES, ProviderError, type ProviderErrorCode } from './provider/errors.ts';
export {
  chainLimiters,
  createLimiter,
  type Limiter,
  type LimiterOptions,
  type SlotLimiter,
  type Urgency,
} from './provider/limiter.ts';
export type { HttpAttempt as Attempt, HttpOptions } from './provider/http.ts';
export { openApiDocument } from './provider/openapi-document.ts';
export type { Effect, InputOf, Operation, ResultOf } from './provider/operation.ts';
export {
  createStatusClient,
  type StatusClient,
  type StatusClientOptions,
  type StatusOperationId,
} from './provider/status-client.ts';
export type { ProxyEnvironment } from './net/agents.ts';
export type { Timeouts } from './provider/transport.ts';
