import type { Extension, PGlite } from '@electric-sql/pglite';

/** What WebAssembly throws when the machine itself fails; C++ exceptions have other names. */
const TRAPS = new Set(['RuntimeError', 'RangeError']);

/** Counts the C++ exceptions thrown in a PGlite that was opened with its extension. */
export interface ExceptionWatch {
  readonly count: number;
  readonly extension: Extension;
  /** Runs `work`, then restores the height of the WebAssembly stack, which an exception leaves where it was thrown. */
  keepStack(work: () => void): void;
}

interface WasmImports {
  readonly env: Record<string, unknown>;
}

type Instantiated = (instance: WasmInstance, module: unknown) => void;

interface WasmInstance {
  readonly exports: Record<string, (value?: number) => number>;
}

interface ModuleOptions {
  instantiateWasm: (imports: WasmImports, done: Instantiated) => unknown;
}

/** Creates a watch. An extension may change how the module is loaded; this one wraps the function that throws. */
export function createExceptionWatch(): ExceptionWatch {
  let count = 0;
  let machine: WasmInstance | null = null;
  return {
    get count() {
      return count;
    },
    keepStack(work) {
      const height = machine?.exports.emscripten_stack_get_current?.();
      try {
        work();
      } finally {
        machine?.exports._emscripten_stack_restore?.(height);
      }
    },
    extension: {
      name: 'exception watch',
      setup: async (_database: unknown, options: ModuleOptions) => {
        const { instantiateWasm } = options;
        options.instantiateWasm = (imports, done) => {
          const thrower = imports.env.__cxa_throw as (...values: number[]) => never;
          const counting = (...values: number[]): never => {
            count++;
            return thrower(...values);
          };
          // Extensions are linked later against the same object; the signature is a property of the function.
          imports.env.__cxa_throw = Object.assign(counting, thrower);
          return instantiateWasm(imports, (instance, module) => {
            machine = instance;
            done(instance, module);
          });
        };
        return { emscriptenOpts: options };
      },
    },
  };
}

/** A PGlite that receives one message of the protocol at a time. */
export interface Engine {
  /** Passes the bytes of the reply to `take` before it returns. @throws when the machine has failed */
  run(message: Uint8Array, take: (bytes: Uint8Array) => void): void;
}

/** Watches a PGlite for traps. PGlite catches whatever its main loop throws, but it cannot continue after a trap. */
export function watchTraps(database: PGlite): Engine {
  const module = database.Module;
  const loop = module._PostgresMainLoopOnce;
  let trap: unknown = null;
  module._PostgresMainLoopOnce = () => {
    try {
      loop();
    } catch (error) {
      if (error instanceof Error && TRAPS.has(error.name)) trap = error;
      throw error;
    }
  };
  return {
    run(message, take) {
      // Synchronous up to its first await, which comes after the last byte of the reply.
      database.execProtocolRawStream(message, { syncToFs: false, onRawData: take }).catch((error) => {
        trap ??= error;
      });
      if (trap) throw trap;
    },
  };
}
