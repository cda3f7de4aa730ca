/** ` # {trace_id="…"} 0.2`: a request that the line has counted. */
const exemplar = / # \{trace_id="[0-9a-f]{32}"\} \S+$/

/**
 * Metrics in the format that a reader's `Accept` asks for: OpenMetrics 1.0 with exemplars, as Prometheus does, or
 * Prometheus' own text, which has none. `text` has exemplars.
 */
export function metricsFor(text: string, accept: string | null): { body: string; contentType: string } {
  const lines = text.split('\n').filter((line) => line !== '')
  if (/\bapplication\/openmetrics-text\b/.test(accept ?? ''))
    return {
      body: `${lines.map(inOpenMetrics).join('\n')}\n# EOF\n`,
      contentType: 'application/openmetrics-text; version=1.0.0; charset=utf-8',
    }
  return {
    body: `${lines.map((line) => line.replace(exemplar, '')).join('\n')}\n`,
    contentType: 'text/plain; version=0.0.4; charset=utf-8',
  }
}

/** In OpenMetrics a counter's family lacks the suffix `_total`. */
const inOpenMetrics = (line: string): string => line.replace(/^(# (?:HELP|TYPE) \w+?)_total (?=.)/, '$1 ')
