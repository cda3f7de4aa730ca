/** The gas limit that a portfolio's own transaction asks for, as it was sent; null when it is to be estimated. */
export const ownGas = ({ gas, gasLimit = gas }: Readonly<Record<string, unknown>>): unknown => gasLimit ?? null
