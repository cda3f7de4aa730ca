import { FormatRegistry, Type } from '@sinclair/typebox'

/** One line that is not blank. */
export const line = (maxLength: number) =>
  Type.String({ minLength: 1, maxLength, format: 'single-line', pattern: '\\S', patternProblem: 'should not be blank' })

FormatRegistry.Set('plain-text', (value) => !/[^\P{Cc}\n\r\t]/u.test(value))

/** Text of several lines, without other control characters. */
export const lines = (maxLength: number) =>
  Type.String({ maxLength, format: 'plain-text', patternProblem: 'must not hold control characters' })
