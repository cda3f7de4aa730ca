import { messageOf } from '@bursar/contracts/log'
import { serviceNames } from '@bursar/contracts/services'
import { config as blockchainConfig } from '../../services/blockchain/src/config'
import { configModules } from '../stack/service-modules'
import { openDoorWarning, openFilesIn, settingsFilesIn } from '../stack/warnings'
import { type Examination, type Finding, findingsAbout, type Patient } from './finding'

const { ok, warning, wrong } = findingsAbout('settings')

/** Unknown names, values that no service accepts, and settings that are unsafe with real money. */
export const examineSettings: Examination = async (patient) => {
  const unknown = [...(await settingsFilesIn(patient.home)), ...(await openFilesIn(patient.home))].map(warning)
  const unusable = await unusableValues(patient)
  const door = openDoorWarning(patient.env)
  const found = [
    ...unknown,
    ...unusable,
    ...(door ? [wrong(door.replaceAll(/\n?WARNING: /g, ' ').trim())] : []),
    ...(unusable.length === 0 ? productionAdvice(patient) : []),
  ]
  return found.length > 0 ? found : [ok('every service takes its settings')]
}

/** The problems that each service's own config reports; those of common settings once. */
async function unusableValues({ env }: Patient): Promise<Finding[]> {
  const problems = await Promise.all(
    serviceNames.map(async (name) => {
      const { config } = await configModules[name]()
      try {
        config(env)
        return []
      } catch (error) {
        return [messageOf(error)]
      }
    }),
  )
  return [...new Set(problems.flat())].map((problem) => wrong(`${problem}: correct it in .env`))
}

function productionAdvice({ env }: Patient): Finding[] {
  if (env.ENVIRONMENT !== 'production') return []
  const simulated = blockchainConfig(env).simulated
  const advice: [boolean, string][] = [
    [env.AUTHORIZATION === 'documented', 'every authenticated caller may use every endpoint: set AUTHORIZATION=roles'],
    [simulated, 'networks without nodes are simulated, with coins that are none: set NETWORKS_SIMULATED=off'],
    [!env.SMTP_URL, 'mails are written to the data folder and reach nobody: set SMTP_URL'],
    [
      !env.PUBLIC_URL?.startsWith('https://'),
      'the console logs in by https alone: set PUBLIC_URL to its https address',
    ],
    [
      env.SCREENING !== 'sanctions' && !env.SCREENING_SECRET && !env.SCREENING_ALLOW,
      'screening results are taken unsigned from anybody who may call: set SCREENING=sanctions or SCREENING_SECRET',
    ],
    [
      !env.WALLET_PASSPHRASE,
      'the passphrase of the wallets’ seed lies beside the seed: move the text of wallet.passphrase into WALLET_PASSPHRASE',
    ],
  ]
  return advice.filter(([applies]) => applies).map(([, says]) => warning(`in production, ${says}`))
}
