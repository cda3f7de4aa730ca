/** The figures as a reader takes them. */
export interface MetricsAnswer {
  body: string
  contentType: string
}

/** ` # {trace_id="…"} 0.2`: a request that the line has counted. */
const exemplar = / # \{trace_id="[0-9a-f]{32}"\} \S+$/

/**
 * Figures for a reader by its `Accept`: as OpenMetrics 1.0 with exemplars, which Prometheus asks for, or as Prometheus' own text, in
 * which nothing may stand behind a figure. `text` is that with exemplars.
 */
export function metricsFor(text: string, accept: string | null): MetricsAnswer {
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

/** There a counter's family lacks the ending of its figures. */
const inOpenMetrics = (line: string): string => line.replace(/^(# (?:HELP|TYPE) \w+?)_total (?=.)/, '$1 ')
