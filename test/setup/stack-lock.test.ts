import { expect, test } from 'bun:test'
import { tempDir } from '@bursar/testing'
import { lockStack } from '../../scripts/stack/stack-lock'

test('a second runner on a data folder is told which folder that is', () => {
  const dataDir = tempDir()
  lockStack(dataDir, { withRedis: false })
  expect(() => lockStack(dataDir, { withRedis: false })).toThrow(
    `The data folder ${dataDir} is in use by this process already: stop that one first, or set DATA_DIR to another folder.`,
  )
})
