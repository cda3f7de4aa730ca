/** Writes one structured log line per call: fields first, then the sentence. Never pass secrets. */
export interface Log {
  debug(fields: object, message: string): void
  info(fields: object, message: string): void
  warn(fields: object, message: string): void
  error(fields: object, message: string): void
  /** A log whose lines all carry these fields too. */
  child(fields: object): Log
}

/** The message of anything thrown, for a log line or a person. */
export const messageOf = (thrown: unknown): string => (thrown instanceof Error ? thrown.message : String(thrown))

/** A log that writes nothing, for tests. */
export const silentLog: Readonly<Log> = Object.freeze({
  debug() {},
  info() {},
  warn() {},
  error() {},
  child: () => silentLog,
})
