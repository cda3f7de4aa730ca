import { tempDir } from '@bursar/testing'
import { refusedAs, type TestService, type TestServiceOptions, testService } from '@bursar/testing/service'
import { config } from '../src/config'
import type { MainApiDeps } from '../src/deps'
import { startHanding } from '../src/participants/handing'
import { definition } from '../src/service'

export { nobody, uuidExpected } from '@bursar/testing/service'

export type TestMainApi = TestService<MainApiDeps>

type Options = Partial<Pick<TestServiceOptions<MainApiDeps>, 'client' | 'urls' | 'dataDir'>> & {
  now?: () => Date
  env?: Record<string, string>
}

/** The real app with its own database. */
export const openService = ({ now, env, dataDir = tempDir(), ...others }: Options = {}): Promise<TestMainApi> =>
  testService({
    name: 'main-api',
    dataDir,
    definition: definition(config({ DATA_DIR: dataDir, ...env }), { now }),
    ...others,
  })

/** Makes one attempt at each handover that is due. */
export async function handOverAll(deps: MainApiDeps): Promise<void> {
  const loop = startHanding(deps)
  try {
    await loop.runDue()
  } finally {
    await loop.stop()
  }
}

/** The error of a response; checks the rest of its body (spec 3, Errors). */
export const refused = refusedAs('object')
