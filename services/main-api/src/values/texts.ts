import { FormatRegistry, Type } from '@sinclair/typebox'

FormatRegistry.Set('plain-text', (value) => !/[^\P{Cc}\n\r\t]/u.test(value))

/** Text of several lines, without other control characters. */
export const lines = (maxLength: number) =>
  Type.String({ maxLength, format: 'plain-text', patternProblem: 'must not hold control characters' })
