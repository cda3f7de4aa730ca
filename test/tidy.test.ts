// What the linter cannot hold (ARCHITECTURE.md, Rules). Each rule is a function over the files of the tree, and is
// itself tried on small trees that break it.
import { describe, expect, test } from 'bun:test'
import { dirname } from 'node:path'
import { borderRules } from './tidy/borders'
import { circleRules } from './tidy/circles'
import { colourRules } from './tidy/colours'
import { consoleRules } from './tidy/console'
import { documentRules } from './tidy/documents'
import { eventRules } from './tidy/events'
import { exportRules } from './tidy/exports'
import { packageRules } from './tidy/packages'
import { serviceRules } from './tidy/services'
import { tableRules } from './tidy/tables'
import { readTree } from './tidy/tree'
import { wordRules } from './tidy/words'

const tree = readTree(dirname(import.meta.dir))
const rules = [
  ...borderRules,
  ...circleRules,
  ...colourRules,
  ...consoleRules,
  ...documentRules,
  ...eventRules,
  ...exportRules,
  ...packageRules,
  ...serviceRules,
  ...tableRules,
  ...wordRules,
]

for (const { says, complaints, breaks } of rules) {
  describe(says, () => {
    test('holds', async () => {
      const all = complaints(tree)
      if (all.length === 0) return
      console.error(all.join('\n'))
      // A reason that is no Error: the lines above say it all, and a stack trace would only hide them.
      await Promise.reject(`${all.length} of these`)
    })

    test('can be broken', () => {
      for (const broken of breaks) expect(complaints(new Map(Object.entries(broken)))).not.toEqual([])
    })
  })
}
