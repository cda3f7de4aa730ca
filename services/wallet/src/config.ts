import { ConfigError, type Environment, environment, type ServiceConfig, serviceConfig } from '@bursar/http'
import { AmountError, parseAmount } from '@bursar/money'

/** The wallet service's settings. */
export interface Config extends ServiceConfig {
  /** The passphrase of the seed file; undefined: read from the passphrase file in the data folder. */
  readonly passphrase: string | undefined
  /** The text of the seed file; undefined: read from the file in the data folder. */
  readonly seed: string | undefined
  /** The maximum fee of one transaction, in the smallest unit (18 decimals) of an EVM network's coin. */
  readonly mostEvmFee: bigint
  /** The same on Solana, in lamports. */
  readonly mostSolanaFee: bigint
}

const shortestPassphrase = 12

/** Reads the environment. Throws ConfigError naming the variable that cannot be used. */
export const config = (env: Environment = environment()): Config => ({
  ...serviceConfig(env, 'wallet'),
  passphrase: passphrase(env.WALLET_PASSPHRASE),
  seed: env.WALLET_SEED || undefined,
  mostEvmFee: amount('WALLET_MAX_EVM_FEE', env.WALLET_MAX_EVM_FEE || '0.5', 18),
  mostSolanaFee: amount('WALLET_MAX_SOLANA_FEE', env.WALLET_MAX_SOLANA_FEE || '0.01', 9),
})

function passphrase(given: string | undefined): string | undefined {
  if (!given) return undefined
  if (given.length >= shortestPassphrase) return given
  throw new ConfigError(`WALLET_PASSPHRASE must have at least ${shortestPassphrase} characters`)
}

function amount(name: string, text: string, decimals: number): bigint {
  try {
    return parseAmount(text, decimals)
  } catch (error) {
    if (!(error instanceof AmountError)) throw error
    throw new ConfigError(`${name} ${error.message}`)
  }
}
