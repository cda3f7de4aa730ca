import type { Log } from '@bursar/contracts/log'
import pino, { type Logger } from 'pino'
import { currentRequestId } from '../request/context'
import { type LineOutput, lineOutput } from './line-output'
import { stamp } from './stamp'

/** Fields whose values never reach a log line, at the top and one level below. */
const secrets = ['authorization', 'apiKey', 'password', 'secret', 'token', 'credential', 'cookie']

interface LogOptions {
  service: string
  level: string
  format?: 'auto' | 'json' | 'pretty'
}

/**
 * A service's log on standard output: JSON lines, or readable text on a terminal. Every line written
 * while a request is served carries its id, so that one request can be followed over all services.
 */
export async function createLog({ service, level, format = 'auto' }: LogOptions): Promise<Log> {
  const pretty = isForPeople(format)
  const settings = {
    level,
    base: { service },
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (label: string) => ({ level: label }), log: distinct },
    redact: { paths: secrets.flatMap((name) => [name, `*.${name}`]), censor: '********' },
    serializers: { err: pino.stdSerializers.err, error: pino.stdSerializers.err },
    mixin: () => {
      const requestId = currentRequestId()
      return requestId === null ? {} : { requestId }
    },
  }
  const destination = pretty ? await prettyOutput() : standardOutput()
  const logger = pino(settings, destination)
  const log = toLog(logger)
  if (!pretty) plain.set(log, byHand(service, logger, log, standardOutput().write))
  return log
}

/** Whether the log is readable text on a terminal. */
export const isForPeople = (format: LogOptions['format'] = 'auto'): boolean =>
  format === 'pretty' || (format === 'auto' && process.stdout.isTTY === true)

/** Readable text, unbuffered. Loaded only when needed: it takes four megabytes. */
async function prettyOutput() {
  const { prettyFactory } = await import('pino-pretty')
  const pretty = prettyFactory({ ignore: 'pid,hostname,service', translateTime: 'SYS:HH:MM:ss.l' })
  return {
    write(line: string) {
      standardOutput().write(pretty(line))
      standardOutput().flush()
    },
  }
}

/** Shared by all services of the process. */
let output: LineOutput | undefined
function standardOutput(): LineOutput {
  output ??= lineOutput(1)
  return output
}

/** What a process waits for before it ends: that no lines are lost on their way out. */
export const logSettled = async (): Promise<void> => await output?.settled()

/**
 * For lines whose fields are all named in our own code and hold no secrets: searching for secrets costs more than the
 * line itself.
 */
export const plainLines = (log: Log): Log => plain.get(log) ?? log

const plain = new WeakMap<Log, Log>()

/**
 * JSON lines assembled by hand, in pino's form: there is one for each request, and pino itself costs 3 µs more.
 * Only the levels that the log writes are written.
 */
function byHand(service: string, logger: Logger, log: Log, write: (line: string) => void): Log {
  const base = `"service":${JSON.stringify(service)}`
  const line = (level: 'debug' | 'info') => (fields: object, message: string) => {
    if (!logger.isLevelEnabled(level)) return
    const rest = JSON.stringify(distinct(fields)).slice(1, -1)
    write(`{"level":"${level}","time":"${stamp()}",${base},${rest}${rest && ','}"msg":${JSON.stringify(message)}}\n`)
  }
  return { ...log, debug: line('debug'), info: line('info') }
}

/** Renames fields whose names every line already has: readers of a duplicate key may take either value. */
function distinct<Fields extends object>(fields: Fields): Record<string, unknown> {
  const isPlain = !Object.keys(fields).some((name) => ownNames.has(name))
  if (isPlain) return fields as Record<string, unknown>
  return Object.fromEntries(Object.entries(fields).map(([name, value]) => [ownNames.get(name) ?? name, value]))
}

const ownNames = new Map([
  ['service', 'peer'],
  ['level', 'givenLevel'],
  ['time', 'givenTime'],
  ['msg', 'givenMessage'],
])

const toLog = (logger: Logger): Log => ({
  debug: (fields, message) => logger.debug(fields, inOneLine(message)),
  info: (fields, message) => logger.info(fields, inOneLine(message)),
  warn: (fields, message) => logger.warn(fields, inOneLine(message)),
  error: (fields, message) => logger.error(fields, inOneLine(message)),
  child: (fields) => toLog(logger.child(distinct(fields))),
})

/** A message may quote a caller: in readable text, a line break in it could forge a log line. */
const inOneLine = (message: string): string =>
  controls.test(message) ? message.replace(allControls, (found) => JSON.stringify(found).slice(1, -1)) : message
// biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern searches for them
const controls = /[\u0000-\u001f\u007f-\u009f\u2028\u2029]/
const allControls = new RegExp(controls, 'g')
