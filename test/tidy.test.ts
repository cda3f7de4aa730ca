// What the linter cannot hold (ARCHITECTURE.md, Rules). Each rule is a function over the files of the tree, and is
// itself tried on small trees that break it.
import { describe, expect, test } from 'bun:test'
import { dirname } from 'node:path'
import { borderRules } from './tidy/borders'
import { serviceRules } from './tidy/services'
import { readTree } from './tidy/tree'
import { wordRules } from './tidy/words'

const tree = readTree(dirname(import.meta.dir))

for (const { says, complaints, breaks } of [...borderRules, ...serviceRules, ...wordRules]) {
  describe(says, () => {
    test('holds', () => {
      expect(complaints(tree)).toEqual([])
    })

    test('can be broken', () => {
      for (const broken of breaks) expect(complaints(new Map(Object.entries(broken)))).not.toEqual([])
    })
  })
}
