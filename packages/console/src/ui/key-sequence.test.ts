import { describe, expect, test } from 'bun:test'
import { nextKey } from './key-sequence'

const known = new Set(['g t', 'g r', 'a', 't', '?'])

/** Presses keys one after the other; `^` before one is with Ctrl, `"` is into a field. */
function press(...keys: string[]): (string | null)[] {
  let state = { begun: '' }
  return keys.map((pressed) => {
    const key = pressed.replace(/^[\^"](?=.)/, '')
    const hasModifier = pressed.startsWith('^') && pressed !== '^'
    const isTyped = pressed.startsWith('"') && pressed !== '"'
    const next = nextKey(state, { key, hasModifier, isTyped }, known)
    state = next.state
    return next.action
  })
}

describe('keys', () => {
  test('work alone, and one after the other', () => {
    expect(press('a', 'g', 't', 't', '?')).toEqual(['a', null, 'g t', 't', '?'])
  })

  test('that belong to nothing do nothing, and begin anew', () => {
    expect(press('y', 'g', 'y', 't')).toEqual([null, null, null, 't'])
  })

  test('after a g that led nowhere count for themselves', () => {
    expect(press('g', 'a', 'g', 'g', 't')).toEqual([null, 'a', null, null, 't'])
  })

  test('in a field or with a modifier are not ours', () => {
    expect(press('"a', '^a', 'g', '"t', 't')).toEqual([null, null, null, null, 't'])
  })
})
