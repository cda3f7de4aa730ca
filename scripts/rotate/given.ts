import { randomBytes } from 'node:crypto'
import { keyBytes } from '@bursar/http/key-file'
import { keysOf, settingLine } from '../keys/settings-file'

/**
 * The id of the key in use of a setting, and the lines that tell what the setting must hold so that another one takes its place:
 * each step needs a start of all instances, for what one has sealed another one opens. Keys that are accepted besides stay until
 * the last step.
 */
export function stepsOf(setting: string, value: string): [current: string, lines: string] {
  const [current, ...others] = value.split(/[\s,]+/).filter(Boolean)
  const id = keysOf(setting, value)[0]?.id ?? ''
  const next = randomBytes(keyBytes).toString('base64')
  const holding = (keys: readonly (string | undefined)[]) => settingLine(setting, keys.join(','))
  return [
    id,
    [
      '# 1. On all machines, with a restart of all instances: each opens what the others will seal.\n',
      holding([current, next, ...others]),
      '# 2. Then, with another restart of all. bun run rotate --status tells when all is sealed by it.\n',
      `# ${holding([next, current, ...others])}`,
      '# 3. After a day, with a third one.\n',
      `# ${holding([next])}`,
    ].join(''),
  ]
}
