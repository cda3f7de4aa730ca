import { createConfig, lintFromString } from '@redocly/openapi-core'
import { Document, type RulesetDefinition, Spectral } from '@stoplight/spectral-core'
import { Json } from '@stoplight/spectral-parsers'
import { oas } from '@stoplight/spectral-rulesets'

/** What a linter found; `severity` is `error` or `warn`. */
export interface Finding {
  severity: string
  rule: string
  message: string
  place: string
}

/** Checks an OpenAPI document by Spectral's `spectral:oas` and Redocly's `recommended` rules. */
export async function lintOpenApi(text: string): Promise<Finding[]> {
  return [...(await spectral(text)), ...(await redocly(text))]
}

async function spectral(text: string): Promise<Finding[]> {
  const linter = new Spectral()
  linter.setRuleset(oas as RulesetDefinition)
  const results = await linter.run(new Document(text, Json, 'openapi.json'))
  return results.map(({ severity, code, message, path }) => ({
    severity: severity === 0 ? 'error' : 'warn',
    rule: String(code),
    message,
    place: path.join('.'),
  }))
}

async function redocly(text: string): Promise<Finding[]> {
  const config = await createConfig({ extends: ['recommended'] })
  const problems = await lintFromString({ source: text, absoluteRef: 'openapi.json', config })
  return problems.map(({ severity, ruleId, message, location }) => ({
    severity,
    rule: ruleId,
    message,
    place: location[0]?.pointer ?? '',
  }))
}
