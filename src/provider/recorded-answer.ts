/** What a recording holds of one answer: the raw value, or what came in its place. */
import { PROVIDER_ERROR_CODES, type ProviderError, type ProviderErrorCode } from './errors.ts';

/** What was answered in place of a listing: an HTTP status, or a code of ours where there was none. */
export type RecordedFailure = number | ProviderErrorCode;
export type RecordedAnswer = { value: unknown } | { error: RecordedFailure };

export function isRecordedFailure(error: unknown): error is RecordedFailure {
  if (typeof error === 'number') return Number.isInteger(error) && error >= 400 && error <= 599;
  return PROVIDER_ERROR_CODES.some((code) => code === error);
}

/** A redirect to a login page, or a web page with 200: then the status alone would say something else. */
export function recordedFailure({ code, status }: ProviderError): RecordedAnswer {
  return { error: status !== null && status >= 400 ? status : code };
}
