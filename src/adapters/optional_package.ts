import { ConfigError } from '../common/config_error.ts';

/**
 * Imports, by `load`, a module of ours that needs an optional package.
 * @throws ConfigError, naming the setting and the command to run, when the package is not installed
 */
export async function optionalPackage<T>(setting: string, name: string, load: () => Promise<T>): Promise<T> {
  try {
    return await load();
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code !== 'ERR_MODULE_NOT_FOUND' || !message.includes(`'${name}'`)) throw error;
    throw new ConfigError(`${setting} needs the package ${name}. Run: npm install ${name}`);
  }
}
