import Domain
import Handlers
import Language

/// Reads what can be spoken of from the stores and the van.
public enum OwnerNamesReader {
    /// All names.
    /// - Throws: the store's error, where any of them cannot be read.
    public static func names(_ context: HandlerContext) async throws -> OwnerNames {
        let (names, failures) = await readableNames(context)
        if let failure = failures.first { throw failure }
        return names
    }

    /// The names that can be read, and those of `before` in place of the others: a lost store costs no device its name.
    /// - Returns: the names, and the error of each kind of names that could not be read.
    public static func readableNames(
        _ context: HandlerContext, otherwise before: OwnerNames = OwnerNames()
    ) async -> (names: OwnerNames, failures: [any Error]) {
        var names = before, failures: [any Error] = []
        names[.device] = VanHandler(context).resolver.deviceNames()
        names[.area] = Set(context.van.devices.compactMap(\.area)).sorted().map { OwnerName(name: $0) }
        names[.mode] = ModesHandler(context).names()
        names[.scene] = VanHandler(context).resolver.sceneNames()
        names[.option] = VanHandler(context).resolver.optionNames()
        let stores = context.stores
        func attempt(_ read: () async throws -> Void) async { do { try await read() } catch { failures.append(error) } }
        await attempt {
            names[.item] = try await stores.manifest.items().map {
                OwnerName(name: $0.name, aliases: $0.aliases, id: "\($0.id)")
            }
        }
        // Every van has a garage and a glove box, before anything is noted to be in them.
        let usual = context.books.sampleNames[.place]
        if names[.place].isEmpty { names[.place] = usual }
        await attempt {
            let places = try await stores.manifest.places()
            names[.place] = places.map { OwnerName(name: $0) } + usual.filter { !places.contains($0.name) }
        }
        await attempt {
            // Those that are done, too: a tick can be taken away.
            names[.task] = try await stores.checklist.tasks(list: nil).map {
                OwnerName(name: $0.text, id: "\($0.id)")
            }
        }
        await attempt { names[.list] = try await stores.checklist.lists().map { OwnerName(name: $0) } }
        await attempt {
            names[.trip] = try await stores.trips.trips().map { OwnerName(name: $0.destination, id: "\($0.id)") }
        }
        await attempt {
            let words = try await stores.words.ownerWords(language: context.books.language)
            names.pronunciations = words.mapValues { $0.map(\.phones) }
        }
        return (names, failures)
    }
}
