import { ConfigError, type Environment } from './config-error'

/** Where and how traces are recorded. */
export interface TraceSettings {
  /** `http://collector:4318/v1/traces` */
  readonly url: string
  /** Headers of each request to the collector. */
  readonly headers: Readonly<Record<string, string>>
  /** How many of all traces are recorded: 0 to 1. */
  readonly ratio: number
}

/** The settings of OpenTelemetry's own names; null without an endpoint: nothing is traced. Throws ConfigError. */
export function traceSettings(env: Environment): TraceSettings | null {
  const endpoint = env.OTEL_EXPORTER_OTLP_ENDPOINT
  if (!endpoint) return null
  if (!/^https?:\/\//.test(endpoint) || !URL.canParse(endpoint))
    throw new ConfigError('OTEL_EXPORTER_OTLP_ENDPOINT must be the http or https address of a collector')
  return {
    url: `${endpoint.replace(/\/+$/, '')}/v1/traces`,
    headers: headersIn(env.OTEL_EXPORTER_OTLP_HEADERS ?? ''),
    ratio: ratioIn(env.OTEL_TRACES_SAMPLER_ARG || '0.05'),
  }
}

function ratioIn(text: string): number {
  const ratio = /^(?:0|1|[01]?\.\d{1,9})$/.test(text) ? Number(text) : Number.NaN
  if (ratio >= 0 && ratio <= 1) return ratio
  throw new ConfigError(`OTEL_TRACES_SAMPLER_ARG must be a number from 0 to 1, not "${text}"`)
}

/** `name=value,name=value`, with percent escapes. Its message never shows a value: they are keys. */
function headersIn(text: string): Record<string, string> {
  const parts = text.split(',').filter((part) => part.trim() !== '')
  return Object.fromEntries(
    parts.map((part) => {
      const [, name = '', value = ''] = /^\s*([\w-]+)\s*=\s*(.*?)\s*$/.exec(part) ?? []
      if (name === '') throw new ConfigError('OTEL_EXPORTER_OTLP_HEADERS must be name=value, with commas between them')
      return [name.toLowerCase(), decoded(value)]
    }),
  )
}

function decoded(value: string): string {
  try {
    return decodeURIComponent(value)
  } catch {
    throw new ConfigError('OTEL_EXPORTER_OTLP_HEADERS has a broken % escape')
  }
}
